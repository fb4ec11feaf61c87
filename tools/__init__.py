"""What turns the sources of the book into notebooks and into the website."""
