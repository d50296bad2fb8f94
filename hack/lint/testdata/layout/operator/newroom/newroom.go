package newroom
