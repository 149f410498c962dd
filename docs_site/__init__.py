"""The documentation as a site: pages of docs/ and README, and a reference made from what is registered.

`make docs` builds it into site/. Nothing of the reference is kept as a file: `hook.py` hands the pages to
mkdocs, and each worked example is code that was run while the page was made.
"""
