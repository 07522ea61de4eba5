// npm start: keeps compiled code for the next start, also for the threads and processes that it starts. Plain JavaScript,
// because what this file imports is compiled before that.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../dist/compiled', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
await import('./main.ts');
