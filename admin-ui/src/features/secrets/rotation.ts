import type { ResultOf } from '../../../../contract/documentation.ts';
import { counted, DAY_MS, daysSince } from '../../components/locale.ts';

type SecretDetails = ResultOf<'secrets-get'>;

const POLL_MS = 20_000;

/** The API keys that read a secret within 30 days and still may, and how many of them have its current value. */
export const pickedUp = ({ secret, readers }: Pick<SecretDetails, 'secret' | 'readers'>) => {
  const consumers = readers.filter(({ allowed, reads }) => allowed && reads > 0);
  const late = consumers.filter(({ number }) => number !== secret.number);
  const total = consumers.length;
  const has = total === 1 ? 'has' : 'have';
  const progress = `${total - late.length} of ${counted(total, 'API key')} that read it in the last 30 days ${has}`;
  return { total, isAll: late.length === 0, late, progress };
};

/** How often to read a secret again in the hour in which its consumers pick up a new value, in milliseconds; false for never. */
export const pollingOf = (details: SecretDetails | undefined): number | false =>
  details !== undefined &&
  details.secret.number > 1 &&
  daysSince(details.secret.changedAt) < 1 / 24 &&
  !pickedUp(details).isAll &&
  POLL_MS;

/** The overview lists secrets from this number of days before their rotation is due. */
export const ROTATION_NEAR_DAYS = 14;

/** The day in UTC, `YYYY-MM-DD`, so many days from now. */
export const dayIn = (days: number, now = new Date()): string =>
  new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);

export const isOverdue = (rotateBy: string | undefined, now: Date): boolean =>
  rotateBy !== undefined && rotateBy < dayIn(0, now);

/** Where the interval is unknown, as after a value that was given when its rotation was overdue. */
const USUAL_DAYS = 90;

/** The day of the rotation after the next, with the same interval as from the last change to the next one. */
export const rotationAfter = (changedAt: string, rotateBy: string, now: Date): string => {
  const days = Math.round((Date.parse(rotateBy) - Date.parse(changedAt)) / DAY_MS);
  return dayIn(days > 0 ? days : USUAL_DAYS, now);
};
