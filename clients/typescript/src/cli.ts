#!/usr/bin/env node
import { main } from './cli/main.ts';
import { processTerminal } from './cli/terminal.ts';

// Not only the exit code: a read that nobody waits for any more would hold the process up.
process.exit(await main(process.argv.slice(2), processTerminal()));
