import * as z from 'zod/mini';
import { seenRev } from '../../contract/fields/query.ts';

test.each(['0', '7', '9007199254740990', '9007199254740991'])(
  'the revision %s, which the error message allows, is accepted',
  (rev) => {
    expect(z.parse(seenRev, rev)).toBe(Number(rev));
  },
);

test.each(['9007199254740992', '-1', '1.5', '1e3', ''])(
  'the revision "%s" is rejected with the range',
  (rev) => {
    const { error } = z.safeParse(seenRev, rev);
    expect(error?.issues[0]?.message).toBe('must be a whole number from 0 to 9007199254740991');
  },
);
