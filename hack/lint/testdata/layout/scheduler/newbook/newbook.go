package newbook
