package shorthand
