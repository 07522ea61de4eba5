# Runs the command given as arguments until it ends or standard input does. The other end of standard input is a pipe
# held by the runner, which the system closes however the runner ends, kill -9 included. The runner makes this shell
# the leader of its own process group, so that nothing of it is left over.
umask 077
{
  "$@"
  kill -KILL 0
} &
cat >/dev/null
kill -KILL 0
