package gang
