#!/usr/bin/env node
import { main } from './cli/main.ts';
import { processTerminal } from './cli/terminal.ts';

process.exitCode = await main(process.argv.slice(2), processTerminal());
