import { job, log } from '../log.ts';
import { connectTable } from '../store/connect.ts';
import { createDayRows } from '../store/usage/day-rows.ts';
import { createReceivedByAll } from '../store/views/received-by-all.ts';

const table = connectTable();
const computeDays = createDayRows(table);
const announce = createReceivedByAll(table);

/** Computes the use of recent days, and tells which new values all have received. */
export const handler = job('use of days not computed', async () => {
  const days = await computeDays(new Date());
  if (days.length > 0) log('info', 'use of days computed', { days });
  const secretIds = await announce(new Date());
  if (secretIds.length > 0) log('info', 'new values received by all', { secretIds });
});
