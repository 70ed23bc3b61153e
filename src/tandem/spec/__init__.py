"""What the user wrote, as strict models, and the loader that knows the line of each value.

Pure: same file text in, same Spec out. Files are read by the loader alone, nothing else is touched.
"""
