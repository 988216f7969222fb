"""The tests of axstream; a folder for each folder of the package."""
