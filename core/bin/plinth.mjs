#!/usr/bin/env node
// The `plinth` command. A file of its own, because npm links it when a clone is installed, before there is a dist.
import "../dist/cli/main.js";
