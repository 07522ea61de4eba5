import { auditChange } from '../../../lambdas/store/audit.ts';
import { sealAudit } from '../../../lambdas/store/seal/sealing.ts';
import { LAST_SEAL, openObject } from '../../../lambdas/store/seal/seals.ts';
import { writeAuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import type { LoggedObject } from '../../../scripts/sealed-log/verification/objects.ts';
import { verifyAudit } from '../../../scripts/sealed-log/verification/verify.ts';
import { randomFrom } from '../../support/random.ts';
import { readOf } from '../../support/rows/audit.ts';
import { openTestLog, type TestLog } from '../../support/rows/sealed-log.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { inNewContainer, rawRow } from '../../support/rows/tampering.ts';
import { SEED, scaled } from '../../support/sampled.ts';
import { OBJECT_TAMPERINGS } from '../../support/tampering/objects.ts';
import { ROW_TAMPERINGS } from '../../support/tampering/rows.ts';
import type { Logged, Sealed } from '../../support/tampering/sealed.ts';

const START = Date.parse('2026-03-31T23:20:00.000Z');
const at = (minutes: number): Date => new Date(START + minutes * 60_000);
const NOW = at(88);
const ROUNDS = scaled(1_000, 40);

const TAMPERINGS = { ...ROW_TAMPERINGS, ...OBJECT_TAMPERINGS };

withTestTable();

let log: TestLog;
let sealed: Sealed;

beforeAll(async () => {
  log = openTestLog();
  for (let minute = 0; minute < 85; minute += 2) {
    const by = { ...changeAt(at(minute)), requestId: `change-${minute}` };
    const entry = {
      action: 'label.set',
      subject: 'prm_1',
      name: 'greeting',
      details: { to: String(minute) },
    };
    await transact(table, [auditChange(table, by, entry)]);
    const read = { at: at(minute + 1), requestId: `read-${minute}`, revision: minute };
    await writeAuditRead(table, readOf({ ...read, filter: { tags: ['a', 'b'] }, restriction: ['a'] }));
  }
  for (let minute = 10; minute <= 80; minute += 10) await sealAudit(table, log, { now: at(minute) });
  const objects = await Promise.all(
    (await Array.fromAsync(log.keys())).map(async (key) => ({
      key,
      bytes: (await log.read(key)) ?? Buffer.alloc(0),
    })),
  );
  const entries = objects.flatMap(({ bytes }) => openObject(table, bytes).entries());
  sealed = { table, objects, entries, last: await rawRow(table, LAST_SEAL) };
});

const verify = (logged: readonly Logged[], withTable = true) =>
  verifyAudit({
    verifier: inNewContainer(table),
    objects: logged.map(({ bytes, ...rest }): LoggedObject => ({ ...rest, read: async () => bytes })),
    now: NOW,
    table: withTable ? table : undefined,
    from: '2026-03-31',
    to: '2026-04-01',
  });

test('an untouched log verifies, and rows that are not due yet are only counted', async () => {
  const { objects, entries } = sealed;
  expect(await verify(objects)).toMatchObject({
    findings: [],
    objects: 8,
    entries: entries.length,
    pending: 86 - entries.length,
  });
  expect(await verify(objects, false)).toMatchObject({ findings: [], objects: 8 });
});

test(`of ${ROUNDS} random changes each is found, and nothing else`, async () => {
  const kinds = Object.entries(TAMPERINGS);
  for (let round = 0; round < ROUNDS; round++) {
    const [kind = '', tamper] = kinds[round % kinds.length] ?? [];
    const tampered = await tamper?.(sealed, randomFrom(SEED + round));
    const { findings } = await verify(tampered?.objects ?? sealed.objects);
    await tampered?.undo?.();
    const subjects = new Set(findings.map(({ subject }) => subject));
    const unexplained = [...subjects].filter(
      (each) => ![...(tampered?.found ?? []), ...(tampered?.also ?? [])].includes(each),
    );
    expect({ round: `${kind}, seed ${SEED + round}`, found: [...subjects], unexplained }).toEqual({
      round: `${kind}, seed ${SEED + round}`,
      found: expect.arrayContaining([...(tampered?.found ?? [])]),
      unexplained: [],
    });
  }
  expect((await verify(sealed.objects)).findings).toEqual([]);
}, 240_000);

test('a copy of the log reveals the same about objects, with the public key alone', async () => {
  for (const [kind, tamper] of Object.entries(TAMPERINGS)) {
    if (!/object|fork/.test(kind) || /last|end/.test(kind)) continue;
    // The last object has no successor that would name it.
    const tampered = await tamper(sealed, (below) => (below === sealed.objects.length ? 2 : 0));
    const { findings } = await verify(tampered.objects ?? sealed.objects, false);
    expect([kind, findings.map(({ subject }) => subject)]).toEqual([kind, tampered.found]);
  }
});
