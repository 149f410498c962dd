"""python -m insanonym_core: the command `insanonym`."""

from insanonym_core.cli import main

if __name__ == "__main__":
    main()
