"""What both clients share. Nothing here blocks."""
