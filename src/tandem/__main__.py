"""`python -m tandem` is the command `tandem`."""

from tandem.cli.main import main

if __name__ == "__main__":
    main()
