"""Kernels that are forked from one parent process, which has imported everything once.

`provisioner` is the plug-in of jupyter_client, `client` starts the parent and asks it for a child, `parent`
is the program that runs there, `messages` is what the two say to each other.
"""
