#!/usr/bin/env node
import { main } from './cli/main.ts';
import { processTerminal } from './cli/terminal.ts';

// Not only the exit code: an abandoned read would keep the process alive.
process.exit(await main(process.argv.slice(2), processTerminal()));
