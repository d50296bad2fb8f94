package printed

const maxPiece = 8 << 10
