// npm start: bounds its memory, and keeps compiled code for the next start, also for the threads and processes that it
// starts. Plain JavaScript, because what this file imports is compiled before that.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// In megabytes. Without them, Node.js lets short-lived objects of 150,000 fetches grow it to 500 MB.
const BOUNDS = ['--max-semi-space-size=4', '--max-old-space-size=512'];

// Node.js reads them only when it begins. Windows and Node.js before 22.15 cannot replace a process.
const bounded = [process.execPath, ...BOUNDS, ...process.execArgv, ...process.argv.slice(1)];
if (!BOUNDS.every((bound) => process.execArgv.includes(bound))) process.execve?.(process.execPath, bounded);

process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../dist/compiled', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
await import('./main.ts');
