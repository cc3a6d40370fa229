# Installation follows.
