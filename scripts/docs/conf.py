# Sphinx's settings of the site. Sphinx with MyST and Furo rather than MkDocs: its search is a script, so it works from a
# file without a server, Furo has light and dark, and all three are packages of Debian 12.
import mimetypes

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util import images

project = "Tenon"
extensions = ["myst_parser"]
root_doc = "index"
html_theme = "furo"
html_title = "Tenon"
html_show_sphinx = False
html_copy_source = False
html_extra_path = ["live"]
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
exclude_patterns = ["live"]

# Moving pictures.
mimetypes.add_type("image/webp", ".webp")
images.mime_suffixes[".webp"] = "image/webp"
StandaloneHTMLBuilder.supported_image_types = [*StandaloneHTMLBuilder.supported_image_types, "image/webp"]
