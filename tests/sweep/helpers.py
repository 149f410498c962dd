"""Recipes to sweep, and over what."""

from insanonym_core.recipe_file import recipe_from_text

LAPLACE = recipe_from_text("data: demo:mobility\nseed: 3\nsteps: [{planar_laplace: {}}, pseudonymise]")
GAUSS = recipe_from_text("data: demo:mobility\nseed: 3\nsteps: [{gaussian_noise: {}}, pseudonymise]")
OVER = ["planar_laplace.radius=0:3000:4"]
