"""What both clients share: it waits for nothing."""
