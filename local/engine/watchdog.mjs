// Runs the command given as arguments until it ends or standard input does. The other end of standard input is a pipe
// held by the runner, which the system closes however the runner ends, kill -9 included.
import { spawn } from 'node:child_process';

const STOP_MILLISECONDS = 5_000;

process.umask(0o077);
const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], windowsHide: true });
child.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
child.once('exit', () => process.exit());
process.stdin.resume().once('close', () => {
  child.kill();
  setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
});
