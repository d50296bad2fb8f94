package installed
