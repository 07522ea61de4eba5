// What each screen shows of a reply with every state in it: compared whole, as a person hears it.
import type { Locator } from 'playwright-core';
import { documentationOf, type OperationId, type ResultOf } from '../../../contract/documentation.ts';
import { webhookGet } from '../../../contract/endpoints/webhook.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { daysAfter } from '../../../lambdas/core/days.ts';
import { ask } from '../../support/admin.ts';
import {
  absent,
  arrive,
  byRole,
  confirm,
  dialog,
  disabled,
  enter,
  exactly,
  headed,
  load,
  menu,
  openSite,
  page,
  press,
  see,
  show,
  tick,
} from '../../support/browser/site.ts';

const ADMIN = 'admin@example.com';
const NOW = Date.parse('2026-03-15T12:00:00.000Z');
const ago = (days: number) => daysAfter(new Date(NOW), -days).toISOString();

// A receiver that nothing is sent to.
openSite({ webhook: 'http://localhost:9' });

beforeAll(async () => {
  await arrive();
  await page.clock.setFixedTime(NOW);
  await reply('session-get', SESSION);
  await load('/');
  await headed('Overview');
});

/** Lets the service answer this, which the contract allows. */
const reply = async <Id extends OperationId>(id: Id, res: ResultOf<Id>): Promise<void> => {
  const endpoint = [...ENDPOINTS, webhookGet].find((each) => each.id === id);
  const { path = '', method } = endpoint?.route ?? {};
  if (endpoint) expect(documentationOf(endpoint).reply.parse(res)).toEqual(res);
  await page.route(new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`), (route) =>
    route.request().method() === method ? route.fulfill({ json: { err: null, res } }) : route.fallback(),
  );
};

const withoutIndent = (text: string) => text.trim().replaceAll(/^\s*(?:- )?/gm, '');

/** Fails unless this is heard of a part of the page once it is loaded; of a row, its text, addresses and buttons. */
const hear = async (part: Locator, text: string): Promise<void> => {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  let row = Number.POSITIVE_INFINITY;
  const all = (await part.ariaSnapshot()).replaceAll(/(?<=localhost):\d+/g, '').split('\n');
  const kept = all.filter((line) => {
    const depth = line.search(/\S/);
    if (depth > row) return /\/url: |button ".*": /.test(line);
    row = /- '?row /.test(line) ? depth : Number.POSITIVE_INFINITY;
    return true;
  });
  expect(withoutIndent(kept.join('\n'))).toBe(withoutIndent(text));
};

const ENVIRONMENT = { isCritical: false, isNew: false, secrets: 12, stopped: null };
const SESSION: ResultOf<'session-get'> = {
  operatorId: '1',
  email: ADMIN,
  group: 'admin',
  protectedLabels: [{ label: 'production', protectedAt: ago(9), protectedBy: ADMIN }],
  environments: {
    revision: 3,
    environments: [
      { ...ENVIRONMENT, name: 'default' },
      { ...ENVIRONMENT, name: 'production', isCritical: true },
    ],
  },
};

const KEY: ResultOf<'keys-get'>['key'] = {
  keyId: 'Tr3dEf7h',
  name: 'deploy',
  kind: 'trust',
  issuer: 'https://issuer.example',
  audience: 'cuevault:local',
  match: { sub: ['repo:acme/app'] },
  permissions: ['prompts', 'publish', 'secrets'],
  prompts: ['billing/*'],
  tags: ['db'],
  cidrs: ['203.0.113.0/24', '2001:db8::/32'],
  status: 'active',
  createdAt: ago(40),
  createdBy: ADMIN,
  replaces: 'Ol3dEf7h',
  lastUsedAt: null,
  calls: { prompts: 3, secrets: 2 },
};
const REFUSED: ResultOf<'keys-get'>['refused'][number] = {
  keyId: KEY.keyId,
  name: KEY.name,
  reason: 'claims',
  minutes: 2,
  lastAt: ago(4),
  claim: { pointer: 'sub', wanted: '["repo:acme/app"]', got: '"repo:acme/site"' },
};
const caller = (apiKeyName: string) => ({ apiKeyId: apiKeyName.padEnd(8, '0'), apiKeyName });
const SECRET = { environment: 'default', secretId: 'sec_AAAAAAAAAAAAAAAAAAAAAA', key: 'DB_URL' };

test('the page of a key shows what it may do, what it did, what it left alone, and why calls failed and were refused', async () => {
  const failing = {
    reason: 'The prompt "refund" has no label "canary"',
    calls: 4,
    promptId: 'prm_b',
    name: 'refund',
  };
  await reply('keys-get', {
    key: KEY,
    prompts: { allowed: 2, total: 5, unread: { total: 1, first: ['billing/late'] } },
    secrets: { allowed: 3, total: 4, unread: { total: 2, first: ['A in default', 'B in default'] } },
    fetched: [{ promptId: 'prm_a', name: 'billing/invoice', fetches: 7, lastAt: ago(2) }],
    read: [{ ...SECRET, reads: 2, lastAt: ago(3), known: true }],
    failing: [{ ...failing, code: 'label_not_found', label: 'canary', lastAt: ago(1) }],
    refused: [
      REFUSED,
      { ...REFUSED, reason: 'permission', minutes: 1, lastAt: ago(5), claim: undefined, asked: 'B' },
    ],
    issuerKeys: { count: 3, at: ago(6), problem: 'The issuer did not answer.' },
  });
  await show(`/api-keys/${KEY.keyId}`);
  await byRole('heading', KEY.name).waitFor();
  await hear(
    byRole('main'),
    `
    main:
      link "API keys":
        /url: /api-keys
      heading "deploy" [level=1]
      button "Delete its prompts"
      button "More actions for deploy (Tr3dEf7h)"
      region "Failed and refused calls":
        heading "Failed and refused calls" [level=2]
        list:
          listitem:
            text: "canary: The prompt \\"refund\\" has no label \\"canary\\""
            paragraph:
              link "refund":
                /url: /prompts/prm_b
            text: at least 4 calls failed, last
            time: yesterday
          listitem:
            text: "Refused: another value of a claim"
            paragraph:
              text: "sub: wanted [\\"repo:acme/app\\"], got \\"repo:acme/site\\""
              button "Allow this"
            text: in 2 minutes, last
            time: 4 days ago
          listitem:
            text: "Refused: missing permission"
            paragraph: first asked for B
            text: in 1 minute, last
            time: 5 days ago
      region "Prompts fetched in 30 days":
        heading "Prompts fetched in 30 days" [level=2]
        text: "1"
        list:
          listitem:
            link "billing/invoice":
              /url: /prompts/prm_a
            text: 7 times, last
            time: 2 days ago
        paragraph: It may read 1 more, but did not.
      region "Secrets read in 30 days":
        heading "Secrets read in 30 days" [level=2]
        text: "1"
        list:
          listitem:
            link "DB_URL":
              /url: /secrets/sec_AAAAAAAAAAAAAAAAAAAAAA
            text: default 2 times, last
            time: 3 days ago
        paragraph: It may read 2 more, but did not.
      region "Access":
        heading "Access" [level=2]
        term: Permissions
        definition: fetch prompts and secrets, publish prompts
        term: Prompts
        definition: "2 of 5 prompts: those named billing/*"
        term: Secrets
        definition: "3 of 4 secrets: those tagged db"
        term: From
        definition: 203.0.113.0/24, 2001:db8::/32
      region "Details":
        heading "Details" [level=2]
        term: Expires
        definition: never
        term: Last used
        definition: never with success
        term: Created
        definition:
          time: Feb 3, 2026, 12:00 PM
          text: by admin@example.com, to replace Ol3dEf7h
        term: Id
        definition: Tr3dEf7h
        term: Audit
        definition:
          link "its changes":
            /url: /audit?subject=Tr3dEf7h
          text: ","
          link "its reads of secrets":
            /url: /audit?kind=read&actor=Tr3dEf7h
          text: ","
          link "its refusals":
            /url: /audit?kind=refusal&actor=Tr3dEf7h
      region "Trust":
        heading "Trust" [level=2]
        term: Issuer
        definition: https://issuer.example
        term: Audience
        definition: cuevault:local
        term: sub
        definition: "[\\"repo:acme/app\\"]"
        term: Keys
        definition:
          text: 3 keys of the issuer
          paragraph: The issuer did not answer.
  `,
  );
  await press('Allow this');
  expect(JSON.parse(await dialog().getByLabel('Claims').inputValue())).toEqual({
    sub: ['repo:acme/app', 'repo:acme/site'],
  });
});

test('the page of a revoked key counts the days before it was revoked, and names the secrets that still have a value it may know', async () => {
  const read = { ...SECRET, reads: 1, lastAt: ago(9), known: false };
  await reply('keys-get', {
    key: {
      ...KEY,
      keyId: 'Re3dEf7h',
      name: 'gone',
      permissions: ['secrets'],
      prompts: [],
      tags: [],
      cidrs: [],
      status: 'revoked',
      lastUsedAt: ago(9),
      revokedAt: ago(8),
      revokedBy: ADMIN,
    },
    prompts: { allowed: 0, total: 5, unread: { total: 0, first: [] } },
    secrets: { allowed: 2, total: 2, unread: { total: 0, first: [] } },
    fetched: [],
    read: [read, { ...read, secretId: 'sec_BBBBBBBBBBBBBBBBBBBBBB', key: 'KNOWN', known: true }],
    failing: [],
    refused: [REFUSED],
  });
  await show('/api-keys/Re3dEf7h');
  await byRole('heading', 'gone').waitFor();
  await hear(
    byRole('main'),
    `
    main:
      link "API keys":
        /url: /api-keys
      heading "gone" [level=1]
      text: revoked
      region "Rotate 1 secret":
        heading "Rotate 1 secret" [level=2]
        list:
          listitem:
            paragraph:
              text: Whoever had the key may know these values. 1 of 2 secrets rotated since it was revoked
              time: Mar 7, 2026
              text: .
          listitem:
            link "KNOWN":
              /url: /secrets/sec_BBBBBBBBBBBBBBBBBBBBBB
            text: default read
            time: Mar 6, 2026
      region "Failed and refused calls":
        heading "Failed and refused calls" [level=2]
        list:
          listitem:
            text: "Refused: another value of a claim"
            paragraph: "sub: wanted [\\"repo:acme/app\\"], got \\"repo:acme/site\\""
            text: in 2 minutes, last
            time: 4 days ago
      region "Prompts fetched in the 30 days before":
        heading "Prompts fetched in the 30 days before" [level=2]
        text: "0"
        paragraph: It read no prompt.
      region "Secrets read in the 30 days before":
        heading "Secrets read in the 30 days before" [level=2]
        text: "2"
        list:
          listitem:
            link "DB_URL":
              /url: /secrets/sec_AAAAAAAAAAAAAAAAAAAAAA
            text: default once, last
            time: Mar 6, 2026
          listitem:
            link "KNOWN":
              /url: /secrets/sec_BBBBBBBBBBBBBBBBBBBBBB
            text: default once, last
            time: Mar 6, 2026
      region "Access":
        heading "Access" [level=2]
        term: Permissions
        definition: fetch secrets
        term: Prompts
        definition: no prompt
        term: Secrets
        definition: every secret (2)
        term: From
        definition: any address
      region "Details":
        heading "Details" [level=2]
        term: Expires
        definition:
          text: revoked
          time: Mar 7, 2026
        term: Last used
        definition:
          time: Mar 6, 2026, 12:00 PM
        term: Created
        definition:
          time: Feb 3, 2026, 12:00 PM
          text: by admin@example.com, to replace Ol3dEf7h
        term: Id
        definition: Re3dEf7h
        term: Audit
        definition:
          link "its changes":
            /url: /audit?subject=Re3dEf7h
          text: ","
          link "its reads of secrets":
            /url: /audit?kind=read&actor=Re3dEf7h
          text: ","
          link "its refusals":
            /url: /audit?kind=refusal&actor=Re3dEf7h
      region "Trust":
        heading "Trust" [level=2]
        term: Issuer
        definition: https://issuer.example
        term: Audience
        definition: cuevault:local
        term: sub
        definition: "[\\"repo:acme/app\\"]"
        term: Keys
        definition: not fetched yet
  `,
  );
});

test('a list of keys says of each what is to be noted, and what it may do', async () => {
  const row = { ...KEY, kind: 'key' as const, prompts: [], tags: [], cidrs: [], lastUsedAt: ago(5) };
  const successor = { keyId: 'Ne3dEf7h', name: 'next', createdAt: ago(10) };
  await reply('keys-list', {
    keys: [
      { ...row, keyId: 'Aa3dEf7h', name: 'all', environments: ['*'] },
      {
        ...row,
        keyId: 'Bb3dEf7h',
        name: 'some',
        environments: ['default', 'staging'],
        tags: ['db'],
        expiresAt: ago(-9),
      },
      {
        ...row,
        keyId: 'Cc3dEf7h',
        name: 'used',
        prompts: ['a/*', 'b/*'],
        expiresAt: ago(-90),
        replacedBy: successor,
      },
      {
        ...row,
        keyId: 'Dd3dEf7h',
        name: 'idle',
        prompts: ['a/*', 'b'],
        expiresAt: ago(-15),
        lastUsedAt: ago(20),
        replacedBy: successor,
      },
      {
        ...row,
        keyId: 'Ee3dEf7h',
        name: 'over',
        permissions: ['compare'],
        prompts: ['a'],
        status: 'expired',
        expiresAt: ago(1),
        refused: { reason: 'expired', minutes: 1, lastAt: ago(0) },
      },
    ],
    total: 5,
  });
  await show('/api-keys');
  await byRole('table', 'API keys').waitFor();
  await hear(
    byRole('table', 'API keys'),
    `
    table "API keys":
      rowgroup:
        row "Name Permissions Last used Expires Created Actions":
      rowgroup:
        'row "all It reads all prompts and all secrets of every environment, and never expires. prompts: all publish: all secrets: all 5 days ago never Feb 3, 2026 More actions for all (Aa3dEf7h)"':
              /url: /api-keys/Aa3dEf7h
        'row "some It expires on Mar 24, 2026. prompts: all publish: all secrets: default, staging, db 5 days ago Mar 24, 2026 Feb 3, 2026 More actions for some (Bb3dEf7h)"':
              /url: /api-keys/Bb3dEf7h
        'row "used It is replaced by Ne3dEf7h and still used since. prompts: 2 folders publish: 2 folders secrets: default 5 days ago Jun 13, 2026 Feb 3, 2026 More actions for used (Cc3dEf7h)"':
              /url: /api-keys/Cc3dEf7h
        'row "idle It is replaced by Ne3dEf7h and not used since: revoke it. prompts: 2 names publish: 2 names secrets: default Feb 23, 2026 Mar 30, 2026 Feb 3, 2026 More actions for idle (Dd3dEf7h)"':
              /url: /api-keys/Dd3dEf7h
        'row "over expired A call was refused on Mar 15, 2026: key expired. compare: a 5 days ago yesterday Feb 3, 2026 More actions for over (Ee3dEf7h)"':
              /url: /api-keys/Ee3dEf7h
  `,
  );
});

const VALUE = { changedAt: ago(20), changedBy: 'ada@example.com', replacedAt: ago(10) };
const READER = { allowed: true, reads: 4, lastAt: ago(1), number: 3 };
const ROTATED = {
  ...SECRET,
  tags: ['db'],
  number: 3,
  createdAt: ago(30),
  createdBy: 'ada@example.com',
  changedAt: ago(10),
  changedBy: ADMIN,
  note: 'Issued by the\ndatabase team.',
  rotateBy: '2026-03-14',
  switchedOff: { upTo: 1, at: ago(25), by: ADMIN },
};
const DETAILS: ResultOf<'secrets-get'> = {
  secret: ROTATED,
  lastRead: { at: ago(1), ...caller('web') },
  values: [
    { ...VALUE, number: 2 },
    { ...VALUE, number: 1, changedAt: ago(30), replacedAt: ago(20) },
  ],
  readers: [
    { ...READER, ...caller('web') },
    { ...READER, ...caller('late'), lastAt: ago(12), number: 2 },
    { ...READER, ...caller('unsure'), lastAt: ago(20), number: null },
    { ...READER, ...caller('former'), lastAt: ago(11), number: 1, allowed: false },
    { ...READER, ...caller('idle'), lastAt: null, reads: 0, number: null },
  ],
};

test('the page of a secret shows a rotation under way: who has which value, who is late, and what is overdue', async () => {
  await reply('secrets-get', DETAILS);
  await show(`/secrets/${SECRET.secretId}`);
  await byRole('heading', SECRET.key).waitFor();
  await hear(
    byRole('main'),
    `
    main:
      link "Secrets":
        /url: /secrets
      heading "DB_URL" [level=1]
      button "Copy the key"
      text: default
      button "New value"
      button "More actions"
      status
      region "Details":
        heading "Details" [level=2]
        button "Edit the tags"
        term: Tags
        definition: db
        term: Last read
        definition:
          time: yesterday
          text: by web
        term: Changed
        definition:
          time: Mar 5, 2026, 12:00 PM
          text: by admin@example.com
        term: Created
        definition:
          time: Feb 13, 2026, 12:00 PM
          text: by ada@example.com
        term: Id
        definition: sec_AAAAAAAAAAAAAAAAAAAAAA
        term: Audit
        definition:
          link "its changes":
            /url: /audit?kind=change&subject=sec_AAAAAAAAAAAAAAAAAAAAAA
          text: ","
          link "its reads":
            /url: /audit?kind=read&subject=sec_AAAAAAAAAAAAAAAAAAAAAA
      region "How an application reads it":
        heading "How an application reads it" [level=2]
        region "the curl command": "curl -s 'http://localhost/api/vault/get-secrets' \\\\ -H \\"Authorization: Bearer $CUEVAULT_API_KEY\\" \\\\ -H 'Content-Type: application/json' \\\\ -d '{\\"key\\":\\"DB_URL\\"}'"
        button "Copy the curl command"
      region "Rotation":
        heading "Rotation" [level=2]
        button "Edit note and date"
        term: Rotate by
        definition:
          text: overdue since
          time: Mar 14, 2026
        term: Note
        definition: Issued by the database team.
        list:
          listitem:
            img "Done"
            text: New value v3,
            time: Mar 5, 2026
            text: by admin@example.com
          listitem:
            img "To do"
            text: 1 of 3 API keys that read it in the last 30 days have the new value
            list:
              listitem:
                text: "still missing:"
                link "late":
                  /url: /api-keys/late0000
              listitem:
                text: "still missing:"
                link "unsure":
                  /url: /api-keys/unsure00
                text: ", silent for 14 days"
            paragraph: "Several processes with one API key count as one, and values in memory and offline copies are not seen: give each service a key of its own."
          listitem:
            img "To do"
            text: Wait before you disable the old credential
            button "Mark old credential as disabled"
      region "Values":
        heading "Values" [level=2]
        text: "3"
        list:
          listitem:
            text: v3
            time: Mar 5, 2026, 12:00 PM
            paragraph: by admin@example.com
            text: current
          listitem:
            text: v2
            time: Feb 23, 2026, 12:00 PM
            paragraph: by ada@example.com
            paragraph:
              text: until
              time: Mar 5, 2026, 12:00 PM
            button "Roll back to v2": Roll back
          listitem:
            text: v1
            time: Feb 13, 2026, 12:00 PM
            paragraph: by ada@example.com
            paragraph:
              text: until
              time: Feb 23, 2026, 12:00 PM
            text: disabled
            button "Roll back to v1": Roll back
        paragraph: The last 10 values are kept. Rolling back reveals no value.
      region "Readers":
        heading "Readers" [level=2]
        text: "5"
        status: 1 of 3 API keys that read it in the last 30 days have the current value, v3.
        list:
          listitem:
            link "web":
              /url: /api-keys/web00000
            paragraph:
              text: read
              time: yesterday
              text: · 4 reads in 30 days
            text: has v3
          listitem:
            link "late":
              /url: /api-keys/late0000
            paragraph:
              text: read
              time: Mar 3, 2026
              text: · 4 reads in 30 days
            text: has v2
          listitem:
            link "unsure":
              /url: /api-keys/unsure00
            paragraph:
              text: read
              time: Feb 23, 2026
              text: · 4 reads in 30 days
            text: has an older value
          listitem:
            link "former":
              /url: /api-keys/former00
            paragraph:
              text: read
              time: Mar 4, 2026
              text: · 4 reads in 30 days · can no longer read it
            text: has v1
          listitem:
            link "idle":
              /url: /api-keys/idle0000
            paragraph: can read it, but did not in 30 days
  `,
  );
  await press('Mark old credential as disabled');
  await hear(
    dialog(),
    `
    dialog "API keys still have the old value":
      heading "API keys still have the old value" [level=2]
      button "Close":
        img
      alert: late, unsure have not read v3 yet. Their applications fail once the old credential is disabled.
      button "Cancel"
      button "Mark as disabled anyway"
  `,
  );
  await press('Cancel', dialog());
  // Everybody has the new value, and the old credential is disabled.
  await reply('secrets-get', {
    ...DETAILS,
    secret: {
      ...ROTATED,
      rotateBy: '2026-03-15',
      switchedOff: { ...ROTATED.switchedOff, upTo: 2, at: ago(1) },
    },
    values: [],
    readers: DETAILS.readers.slice(0, 1),
  });
  await page.reload();
  await hear(
    byRole('region', 'Rotation'),
    `
    region "Rotation":
      heading "Rotation" [level=2]
      button "Edit note and date"
      term: Rotate by
      definition:
        time: Mar 15, 2026
      term: Note
      definition: Issued by the database team.
      list:
        listitem:
          img "Done"
          text: New value v3,
          time: Mar 5, 2026
          text: by admin@example.com
        listitem:
          img "Done"
          text: 1 of 1 API key that read it in the last 30 days has the new value
          list
          paragraph: "Several processes with one API key count as one, and values in memory and offline copies are not seen: give each service a key of its own."
        listitem:
          img "Done"
          text: "Old credential disabled: recorded"
          time: yesterday
          text: by admin@example.com
  `,
  );
  await hear(
    byRole('region', 'Readers'),
    `
    region "Readers":
      heading "Readers" [level=2]
      text: "1"
      status: 1 of 1 API key that read it in the last 30 days has the current value, v3. Nobody needs the previous one.
      list:
        listitem:
          link "web":
            /url: /api-keys/web00000
          paragraph:
            text: read
            time: yesterday
            text: · 4 reads in 30 days
          text: has v3
  `,
  );
  await reply('secrets-get', {
    ...DETAILS,
    secret: { ...ROTATED, number: 1, switchedOff: undefined },
    values: [],
    readers: [{ ...READER, ...caller('web'), number: 1 }],
  });
  await page.reload();
  await see('1 of 1 API key that read it in the last 30 days has the current value, v1.');
  await absent(page.getByText('Nobody needs the previous one.'));
  await absent(byRole('region', 'Rotation').getByRole('list'));
});

test('the list of operators says of each how they sign in, what was refused, and what can be done', async () => {
  const row = {
    signIn: 'password' as const,
    invitedAt: ago(50),
    invitedBy: 'ada@example.com',
    group: 'editor' as const,
  };
  const company = { ...row, signIn: 'company' as const };
  const operators: ResultOf<'operators-list'>['operators'] = [
    {
      ...row,
      operatorId: '1',
      email: 'Admin@Example.com',
      status: 'active',
      group: 'admin',
      signedInAt: ago(0),
    },
    { ...row, operatorId: '2', email: 'ben@example.com', status: 'pending' },
    { ...row, operatorId: '3', email: 'cleo@example.com', status: 'disabled', signedInAt: ago(70) },
    {
      ...company,
      operatorId: '4',
      email: 'dan@example.com',
      status: 'active',
      userId: 'u-4',
      refusedEmail: 'ben@example.com',
    },
    { ...company, operatorId: '5', email: 'eve@example.com', status: 'expired' },
    {
      ...company,
      operatorId: '6',
      email: 'fay@example.com',
      status: 'invited',
      group: 'viewer',
      requests: [{ requestId: 'r', userId: 'u-6', requestedAt: ago(1) }],
    },
  ];
  await reply('operators-list', { operators });
  await show('/operators');
  await byRole('table', 'Operators').waitFor();
  await hear(
    byRole('table', 'Operators'),
    `
    table "Operators":
      rowgroup:
        row "E-mail address Group Status Last sign-in Actions":
      rowgroup:
        row "Admin@Example.com invited by ada@example.com on Jan 24, 2026 · what they changed admin active just now you":
                /url: /audit?kind=change&actor=Admin%40Example.com
        row "ben@example.com invited by ada@example.com on Jan 24, 2026 · what they changed editor temporary password none recorded More actions for ben@example.com":
                /url: /audit?kind=change&actor=ben%40example.com
        row "cleo@example.com invited by ada@example.com on Jan 24, 2026 · what they changed editor disabled Jan 4, 2026 Enable cleo@example.com More actions for cleo@example.com":
                /url: /audit?kind=change&actor=cleo%40example.com
            button "Enable cleo@example.com": Enable
        row "dan@example.com invited by ada@example.com on Jan 24, 2026 · what they changed through the company, as u-4 now ben@example.com at the company, which is another operator’s address here editor active none recorded More actions for dan@example.com":
                /url: /audit?kind=change&actor=dan%40example.com
        row "eve@example.com invited by ada@example.com on Jan 24, 2026 · what they changed through the company editor invitation expired none recorded Enable eve@example.com More actions for eve@example.com":
                /url: /audit?kind=change&actor=eve%40example.com
            button "Enable eve@example.com": Invite again
        row "fay@example.com invited by ada@example.com on Jan 24, 2026 · what they changed through the company u-6 signed in with this address, unverified Confirm viewer invited none recorded More actions for fay@example.com":
                /url: /audit?kind=change&actor=fay%40example.com
  `,
  );
  const [, , , , expired] = operators;
  if (expired) await reply('operators-update', { operator: { ...expired, status: 'invited' } });
  await press('Enable eve@example.com');
  await see('eve@example.com can sign in for 14 more days.');
});

test('who received a leaked value is said for each stored one, with what is known and what is left to do', async () => {
  const receiver = {
    isActive: true,
    isCertain: true,
    from: '2026-03-01',
    to: '2026-03-09',
    stillHasIt: true,
  };
  await reply('vault-who-has', {
    found: [
      {
        ...SECRET,
        number: 2,
        state: 'current',
        receivers: [
          { ...receiver, ...caller('web') },
          {
            ...receiver,
            ...caller('job'),
            isActive: false,
            isCertain: false,
            to: '2026-03-01',
            stillHasIt: false,
          },
        ],
      },
      { ...SECRET, key: 'OLD', number: 1, state: 'former', receivers: [] },
    ],
    total: 5,
    unopened: 1,
  });
  await show('/secrets/who-has');
  await enter('A value that has leaked', 'a value that leaked');
  await press('Ask');
  await byRole('heading', /DB_URL/).waitFor();
  await hear(
    byRole('status').filter({ hasText: 'equal it' }),
    `
    status:
      region "DB_URL default v2, current":
        heading "DB_URL default v2, current" [level=2]:
          link "DB_URL":
            /url: /secrets/sec_AAAAAAAAAAAAAAAAAAAAAA
          text: default v2, current
        list:
          listitem:
            link "web":
              /url: /api-keys/web00000
            paragraph:
              text: first received
              time: Mar 1, 2026
              text: ", last received"
              time: Mar 9, 2026
              text: ·
              link "from which addresses":
                /url: /audit?kind=read&actor=web00000&subject=sec_AAAAAAAAAAAAAAAAAAAAAA&period=days&from=2026-03-01&to=2026-03-09
            text: still has it
          listitem:
            link "job":
              /url: /api-keys/job00000
            paragraph:
              text: possibly first received
              time: Mar 1, 2026
              text: · no longer active ·
              link "from which addresses":
                /url: /audit?kind=read&actor=job00000&subject=sec_AAAAAAAAAAAAAAAAAAAAAA&period=days&from=2026-03-01&to=2026-03-01
            text: has another value
        button "Revoke web"
        button "Stop serving secrets of default"
        button "New value"
      region "OLD default v1, former":
        heading "OLD default v1, former" [level=2]:
          link "OLD":
            /url: /secrets/sec_AAAAAAAAAAAAAAAAAAAAAA
          text: default v1, former
        paragraph: No API key is known to have received it.
        list
        button "Stop serving secrets of default"
        button "Record as disabled"
      paragraph: No value equals it in production. 3 more equal it. 1 stored value cannot be decrypted and could not be compared.
  `,
  );
  const warning = dialog().getByText(/^Disable the credential in v/);
  for (const number of [2, 3]) {
    await reply('secrets-get', { ...DETAILS, secret: { ...ROTATED, number } });
    await press('New value');
    await see(/API keys? read it/, dialog());
    expect(await warning.count()).toBe(3 - number);
    await press('Cancel', dialog());
  }
  const { lastUsedAt: _, calls: __, ...revoked } = KEY;
  await reply('keys-revoke', { key: revoked });
  await press('Revoke web');
  await confirm('web', dialog());
  await press('Revoke', dialog());
  await dialog().waitFor({ state: 'detached' });
  await absent(byRole('button', 'Revoke web'));
});

test('deliveries to the webhook of a laptop are listed with their outcome', async () => {
  const delivery = {
    eventId: 'e',
    type: 'label.set',
    subject: 'prm_a',
    name: 'invoice',
    attempts: 1,
    status: 200,
    error: null,
  };
  await reply('webhook-get', {
    receiver: 'https://hooks.example',
    deliveries: [
      { ...delivery, deliveryId: '1', at: ago(0), state: 'pending', status: null },
      {
        ...delivery,
        deliveryId: '2',
        at: ago(1),
        state: 'failed',
        attempts: 5,
        status: 500,
        error: 'The receiver replied 500.',
      },
      { ...delivery, deliveryId: '3', at: ago(2), state: 'delivered', status: 202 },
    ],
  });
  await show('/notifications');
  await byRole('table', 'Deliveries').waitFor();
  await hear(
    byRole('region', 'Webhook on'),
    `
    region "Webhook on":
      heading "Webhook on" [level=2]
      button "Send a test event"
      text: Sent to https://hooks.example
      paragraph:
        text: "Last delivery: pending,"
        time: just now
      table "Deliveries":
        rowgroup:
          row "Event Last attempt Status Attempts Actions":
        rowgroup:
          'row "label.set invoice Mar 15, 2026, 12:00 PM pending 1 Send again: label.set of invoice"':
          'row "label.set invoice Mar 14, 2026, 12:00 PM failed The receiver replied 500. 5 Send again: label.set of invoice"':
          'row "label.set invoice Mar 13, 2026, 12:00 PM delivered 202 1 Send again: label.set of invoice"':
  `,
  );
});

test('what is live is listed for a label, with each move, from where, by whom, and the way back of the last', async () => {
  const move = (days: number, action: string, details: Record<string, string>, name = 'invoice') => {
    const at = ago(days);
    const of = { subject: `prm_${name}`, name, actor: ADMIN, requestId: '' };
    return {
      ...of,
      kind: 'change' as const,
      entryId: at,
      at,
      action,
      details: { label: 'canary', ...details },
    };
  };
  const {
    prompt: { promptId },
  } = await ask('prompts-create', { name: 'invoice', prompt: 'One', label: 'canary' });
  await ask('versions-publish', { promptId, prompt: 'Two', bump: 'minor', label: 'alpha' });
  await ask('prompts-create', { name: 'refund', prompt: 'One' });
  await reply('audit-list', {
    entries: [
      move(0.5, 'version.publish', { version: '1.2.0', from: '1.1.0' }),
      move(0.6, 'label.protect', {}),
      move(1, 'label.set', { from: '1.0.0', to: '1.1.0' }),
      move(2, 'label.set', { from: '1.1.0', to: '1.0.0' }),
      move(3, 'label.set', { to: '2.0.0' }, 'refund'),
      move(4, 'label.remove', { from: '1.0.0' }, 'reply'),
      move(5, 'label.set', { label: 'other', to: '1.0.0' }),
      move(6, 'prompt.create', { version: '1.0.0' }, 'reply'),
    ],
  });
  await show('/prompts/live?label=canary');
  await byRole('table').waitFor();
  await hear(
    byRole('main'),
    `
    main:
      link "Prompts":
        /url: /prompts
      heading "What is live" [level=1]
      status: 1 prompt
      combobox "Label": canary
      img
      tablist:
        tab "Live now" [selected]
        tab "Moves"
      tabpanel "Live now":
        table "Served by canary":
          rowgroup:
            row "Prompt Version Latest":
          rowgroup:
            row "invoice 1.0.0 Compare with 1.1.0":
                  /url: /prompts/prm_jgaNHpDRWtD97GzU39ss4s?version=1.0.0
                  /url: /prompts/prm_jgaNHpDRWtD97GzU39ss4s/compare?from=1.0.0&to=1.1.0
  `,
  );
  await show('/prompts/live?label=canary&since=week');
  await byRole('table', 'Changes of canary').waitFor();
  await hear(
    byRole('table', 'Changes of canary'),
    `
    table "Changes of canary":
      rowgroup:
        row "Prompt Version When Actions":
      rowgroup:
        'row "invoice 1.1.0 → 1.2.0 12 hr. ago by admin@example.com Compare Back to 1.1.0: canary"':
              /url: /prompts/prm_invoice?version=1.2.0
              /url: /prompts/prm_invoice/compare?from=1.1.0&to=1.2.0
        row "invoice 1.0.0 → 1.1.0 yesterday by admin@example.com Compare":
              /url: /prompts/prm_invoice?version=1.1.0
              /url: /prompts/prm_invoice/compare?from=1.0.0&to=1.1.0
        row "invoice 1.1.0 → 1.0.0 2 days ago by admin@example.com Compare":
              /url: /prompts/prm_invoice?version=1.0.0
              /url: /prompts/prm_invoice/compare?from=1.1.0&to=1.0.0
        row "refund 2.0.0 3 days ago by admin@example.com":
              /url: /prompts/prm_refund?version=2.0.0
        row "reply 1.0.0 → removed 4 days ago by admin@example.com":
              /url: /prompts/prm_reply
        row "reply 1.0.0 6 days ago by admin@example.com":
              /url: /prompts/prm_reply?version=1.0.0
  `,
  );
  const asked = page.waitForRequest(/audit\?.*action=version.publish/);
  await show('/prompts/live?label=latest&since=week');
  await asked;
  await hear(
    byRole('table', 'Changes of latest'),
    `
    table "Changes of latest":
      rowgroup:
        row "Prompt Version When Actions":
      rowgroup:
        row "invoice 1.2.0 12 hr. ago by admin@example.com":
              /url: /prompts/prm_invoice?version=1.2.0
  `,
  );
});

const PROMPT: ResultOf<'prompts-get'>['prompt'] = {
  promptId: 'prm_a',
  name: 'invoice',
  rev: 7,
  latest: '2.0.0',
  highest: '2.0.0',
  versions: 12,
  labels: [
    { label: 'canary', version: '2.0.0' },
    { label: 'production', version: '1.1.0' },
  ],
  tags: [],
  templateBytes: 9,
  excerpt: 'Pay',
  type: 'text',
  contentHash: 'sha256:a',
  createdAt: ago(90),
  createdBy: ADMIN,
  changedAt: ago(1),
  changedBy: ADMIN,
};

const VERSION = {
  promptId: 'prm_a',
  type: 'text' as const,
  prompt: 'Pay',
  tags: [],
  metaProperties: {},
  note: '',
  contentHash: 'sha256:a',
  publishedAt: ago(30),
  publishedBy: ADMIN,
};

test('the page of a prompt shows what each label serves since when, each version with its use, and why calls fail', async () => {
  const { promptId: _, publishedAt, publishedBy, contentHash, ...draft } = VERSION;
  const { metaProperties: __, prompt, ...shown } = draft;
  const row = { ...shown, publishedBy, contentHash, templateBytes: 9, labels: [], lastFetchedAt: null };
  const failing = {
    code: 'variables_missing',
    label: 'production',
    version: '1.1.0',
    ...caller('web'),
    sourceIp: '203.0.113.7',
    calls: 3,
    since: ago(0.25),
    lastAt: ago(0),
  };
  await reply('prompts-get', {
    prompt: PROMPT,
    draft: { ...draft, rev: 1, savedAt: ago(1), savedBy: 'ada@example.com' },
    examples: null,
    version: {
      ...VERSION,
      version: '1.1.0',
      note: 'In euros',
      model: 'acme/large',
      config: { temperature: 0.2 },
      output: {
        schema: {
          type: 'object',
          required: ['sum'],
          properties: { sum: { type: 'number' }, why: { description: 'A reason' } },
        },
      },
      tools: [
        {
          name: 'pay',
          description: 'Pays it',
          inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
        },
      ],
      metaProperties: { team: 'tax' },
    },
    versions: [
      { ...row, version: '2.0.0', publishedAt: ago(1), labels: ['canary'], fetches: 0 },
      {
        ...row,
        version: '1.1.0',
        publishedAt: ago(30),
        labels: ['production'],
        fetches: 1_200,
        lastFetchedAt: ago(0),
        note: 'In euros',
      },
      { ...row, version: '1.0.0', publishedAt: ago(60), fetches: 1, lastFetchedAt: ago(31) },
    ],
    cursor: 'next',
    moves: [
      { label: 'canary', from: '1.1.0', at: ago(0.5), actor: 'ada@example.com' },
      { label: 'production', from: '1.0.0', at: ago(20), actor: ADMIN },
    ],
    fetches: { count: 1_201, lastAt: ago(0) },
    failing: [
      { ...failing, reason: 'The variable "sum" has no value' },
      {
        ...failing,
        reason: 'The variable "name" has no value',
        ...caller('job'),
        calls: 2,
        since: ago(0.1),
      },
      { ...failing, reason: 'The placeholder {{tax}} is left', code: 'placeholder_left', version: '2.0.0' },
      {
        ...failing,
        reason: 'There is no label "beta"',
        code: 'label_not_found',
        label: 'beta',
        version: undefined,
      },
    ],
  });
  await show('/prompts/prm_a');
  await byRole('heading', 'invoice').waitFor();
  await hear(
    byRole('main'),
    `
    main:
      link "Skip to the template":
        /url: "#template"
      navigation "Folders":
        link "Prompts":
          /url: /prompts
      heading "invoice" [level=1]
      button "Copy the name"
      text: 1,201 fetches in 30 days, last
      time: just now
      text: · draft saved
      time: yesterday
      text: by ada@example.com
      link "Usage and history":
        /url: /prompts/prm_a/usage
      link "Continue the draft":
        /url: /prompts/prm_a/new-version
      button "More actions"
      alert "Failing calls":
        paragraph: The variable "sum" has no value.
        paragraph:
          text: at least 3 calls for production (1.1.0) failed since it moved there ·
          link "web":
            /url: /api-keys/web00000
          text: at 203.0.113.7
        'button "Back to 1.0.0: production"': Back to 1.0.0
        paragraph: The variable "name" has no value.
        paragraph:
          text: at least 2 calls for production (1.1.0) failed since it moved there ·
          link "job":
            /url: /api-keys/job00000
          text: at 203.0.113.7
        paragraph: There is no label "beta".
        paragraph:
          text: at least 3 calls for beta failed, first
          time: 6 hr. ago
          text: ·
          link "web":
            /url: /api-keys/web00000
          text: at 203.0.113.7
      complementary:
        region "What is live":
          heading "What is live" [level=2]
          button "Set a label"
          list:
            listitem:
              img "Protected"
              text: production
              link "1.1.0, live as production":
                /url: /prompts/prm_a?version=1.1.0
                text: 1.1.0
              button "Actions for the label production"
              paragraph:
                text: from 1.0.0
                time: Feb 23, 2026
                text: by admin@example.com
              'button "Back to 1.0.0: production"': Back to 1.0.0
            listitem:
              text: canary
              link "2.0.0, live as canary":
                /url: /prompts/prm_a?version=2.0.0
                text: 2.0.0
              button "Actions for the label canary"
              paragraph:
                text: from 1.1.0
                time: 12 hr. ago
                text: by ada@example.com
              'button "Back to 1.1.0: canary"': Back to 1.1.0
            listitem:
              text: latest
              link "2.0.0, live as latest":
                /url: /prompts/prm_a?version=2.0.0
                text: 2.0.0
          paragraph: "Only administrators move a protected label. Callers that ask for no label are not protected by it: they get the latest version, which editors can publish."
        region "Versions":
          heading "Versions" [level=2]
          text: "12"
          list:
            listitem:
              link "2.0.0 latest canary yesterday · not fetched":
                /url: /prompts/prm_a?version=2.0.0
                text: 2.0.0 latest canary
                paragraph:
                  time: yesterday
                  text: · not fetched
            listitem:
              link "1.1.0 Protected production In euros Feb 13, 2026 · 1,200 fetches":
                /url: /prompts/prm_a?version=1.1.0
                text: 1.1.0
                img "Protected"
                text: production
                paragraph: In euros
                paragraph:
                  time: Feb 13, 2026
                  text: · 1,200 fetches
            listitem:
              link "1.0.0 Jan 14, 2026 · 1 fetch":
                /url: /prompts/prm_a?version=1.0.0
                text: 1.0.0
                paragraph:
                  time: Jan 14, 2026
                  text: · 1 fetch
          button "Show all"
      region "1.1.0 Protected production":
        heading "1.1.0 Protected production" [level=2]:
          text: 1.1.0
          img "Protected"
          text: production
        link "Compare":
          /url: /prompts/prm_a/compare?from=1.1.0&to=2.0.0
        button "Actions for version 1.1.0"
        paragraph: In euros
        paragraph:
          text: Published
          time: Feb 13, 2026, 12:00 PM
          text: by admin@example.com
        tablist:
          tab "Template" [selected]
          tab "Try it"
          tab "Use in code"
        tabpanel "Template":
          region "Template of version 1.1.0": Pay
          button "Copy the template"
          heading "Variables" [level=3]
          paragraph: "None: it is served as it is written."
          heading "Model" [level=3]
          term: Model
          definition: acme/large
          term: temperature
          definition: "0.2"
          heading "Output" [level=3]
          term: sum
          definition: number, required
          term: why
          definition: A reason
          heading "Tools" [level=3]
          paragraph: pay
          paragraph: Pays it
          term: to
          definition: string
          heading "Metadata" [level=3]
          term: team
          definition: tax
  `,
  );
  await menu('Actions for version 1.1.0', 'Point a label here');
  // Production serves it already.
  expect(await dialog().getByLabel('Label').inputValue()).toBe('');
  await press('Cancel', dialog());
  await press('Actions for the label production');
  await hear(
    byRole('menu'),
    `
    menu "Actions for the label production":
      menuitem "Move to another version"
      menuitem "History"
      menuitem "Remove the protection"
      menuitem "Remove"
  `,
  );
  await page.keyboard.press('Escape');
});

test('the usage of a prompt shows each fetch, each key with its gaps and failures, and each change', async () => {
  const access = {
    version: '1.1.0',
    ...caller('web'),
    sourceIp: '203.0.113.7',
    userAgent: 'cuevault/1',
    metaProperties: {},
  };
  const count = { day: '2026-03-14', version: '1.9.0', apiKeyId: 'web00000', lastAt: ago(1) };
  const event = { actor: ADMIN, at: ago(1) };
  await reply('usage-get', {
    name: 'invoice',
    latest: '2.0.0',
    labels: PROMPT.labels,
    from: '2026-03-09',
    to: '2026-03-15',
    counts: [
      { ...count, count: 5 },
      { ...count, version: '1.10.0', count: 2, lastAt: ago(0.5) },
      { ...count, apiKeyId: 'job00000', count: 9 },
    ],
    failures: [
      { day: '2026-03-14', apiKeyId: 'web00000', version: '1.9.0', isServed: true, count: 4 },
      { day: '2026-03-14', apiKeyId: 'old00000', isServed: false, count: 3 },
    ],
    keys: [...['old', 'web', 'job', 'idle'].map((name) => ({ keyId: caller(name).apiKeyId, name }))],
    events: [
      { ...event, type: 'label-set', label: 'canary', from: '1.1.0', to: '2.0.0' },
      { ...event, type: 'label-set', label: 'new', from: null, to: '2.0.0' },
      { ...event, type: 'published', version: '2.0.0', at: ago(2) },
      { ...event, type: 'label-removed', label: 'old', from: '1.0.0', at: ago(3) },
    ],
  });
  await reply('accesses-list', {
    accesses: [
      { ...access, time: ago(0), requestId: '1', label: 'production', compiled: true },
      { ...access, time: ago(1), requestId: '2', compiled: false, metaProperties: { team: 'tax' } },
      { ...access, time: ago(2), requestId: '3', compiled: true, missing: ['sum', 'name'] },
    ],
  });
  await show('/prompts/prm_a/usage?days=7');
  await byRole('table', 'Access history').waitFor();
  await page.setViewportSize({ width: 1_600, height: 900 });
  await hear(
    byRole('main'),
    `
    main:
      link "invoice":
        /url: /prompts/prm_a
      heading "Usage and access history" [level=1]
      combobox "API key"
      img
      combobox "Version"
      img
      combobox "Period (UTC)": 7 days
      img
      region "Calls per day":
        heading "Calls per day" [level=2]
        text: "19"
        radiogroup "What the colors stand for":
          radio "By result" [checked]
          text: By result
          radio "By version"
          text: By version
        table "Calls per day (UTC) and result":
          caption: Calls per day (UTC) and result
          rowgroup:
            row "Day served served with gaps failed":
          rowgroup:
            row "2026-03-09 0 0 0":
            row "2026-03-10 0 0 0":
            row "2026-03-11 0 0 0":
            row "2026-03-12 0 0 0":
            row "2026-03-13 0 0 0":
            row "2026-03-14 12 4 3":
            row "2026-03-15 0 0 0":
      tablist:
        tab "Access history" [selected]
        tab "API keys"
        tab "Changes"
      tabpanel "Access history":
        button "CSV"
        table "Access history":
          rowgroup:
            row "Version Time API key Source Compiled Metadata":
          rowgroup:
            row "1.1.0 Protected production Mar 15, 2026, 12:00 PM web 203.0.113.7 cuevault/1 yes":
                  /url: /api-keys/web00000
            'row "1.1.0 Mar 14, 2026, 12:00 PM web 203.0.113.7 cuevault/1 no {\\"team\\":\\"tax\\"}"':
                  /url: /api-keys/web00000
            row "1.1.0 Mar 13, 2026, 12:00 PM web 203.0.113.7 cuevault/1 without sum, name":
                  /url: /api-keys/web00000
  `,
  );
  await page.getByText('By version').click();
  await hear(
    byRole('region', 'Fetches per day'),
    `
    region "Fetches per day":
      heading "Fetches per day" [level=2]
      text: "16"
      radiogroup "What the colors stand for":
        radio "By result"
        text: By result
        radio "By version" [checked]
        text: By version
      table "Fetches per day (UTC) and version":
        caption: Fetches per day (UTC) and version
        rowgroup:
          row "Day 1.9.0 1.10.0":
        rowgroup:
          row "2026-03-09 0 0":
          row "2026-03-10 0 0":
          row "2026-03-11 0 0":
          row "2026-03-12 0 0":
          row "2026-03-13 0 0":
          row "2026-03-14 14 2":
          row "2026-03-15 0 0":
  `,
  );
  await byRole('tab', 'API keys').click();
  await hear(
    byRole('table', 'Calls by API key'),
    `
    table "Calls by API key":
      rowgroup:
        row "API key Versions Fetches Last fetch With gaps Failed":
      rowgroup:
        row "job job00000 1.9.0 9 yesterday":
              /url: /prompts/prm_a/usage?days=%227%22&by=version&tab=keys&key=job00000
        row "web web00000 1.10.0, 1.9.0 7 12 hr. ago 4":
              /url: /prompts/prm_a/usage?days=%227%22&by=version&tab=keys&key=web00000
        row "old old00000 0 3":
              /url: /prompts/prm_a/usage?days=%227%22&by=version&tab=keys&key=old00000
  `,
  );
  await byRole('tab', 'Changes').click();
  await hear(
    byRole('table', 'Changes'),
    `
    table "Changes":
      rowgroup:
        row "Change Time By":
      rowgroup:
        'row "canary: 1.1.0 → 2.0.0 Mar 14, 2026, 12:00 PM admin@example.com"':
        'row "new: set to 2.0.0 Mar 14, 2026, 12:00 PM admin@example.com"':
        row "2.0.0 published Mar 13, 2026, 12:00 PM admin@example.com":
        row "old removed from 1.0.0 Mar 12, 2026, 12:00 PM admin@example.com":
  `,
  );
});

test('the removal of a label names its callers: who breaks, why, and who was not judged', async () => {
  const key = {
    fetches: 1_000,
    lastAt: ago(1),
    unsent: [],
    unused: [],
    isSendingUnknown: false,
    prompts: [],
  };
  await reply('effects-get', {
    changes: [{ before: '1.1.0', breaking: [{ kind: 'variable-added', name: 'sum' }] }],
    affected: [
      {
        ...key,
        ...caller('web'),
        asks: ['production'],
        verdict: 'breaks',
        unsent: ['sum', 'tax'],
      },
      {
        ...key,
        ...caller('job'),
        asks: ['production', 'latest'],
        fetches: 1,
        verdict: 'unknown',
        isSendingUnknown: true,
      },
      { ...key, ...caller('unsure'), asks: ['production'], verdict: 'unknown' },
      {
        ...key,
        ...caller('fine'),
        asks: ['production'],
        verdict: 'works',
        unused: ['old'],
      },
    ],
    since: ago(3),
    earlier: [{ ...caller('early'), fetches: 2 }],
  });
  await reply('versions-get', { version: { ...VERSION, version: '2.0.0' } });
  await show('/prompts/prm_a');
  await press('Back to 1.0.0: production', byRole('region', 'What is live'));
  await see('This breaks 1 of 4 callers.', dialog());
  await press('Cancel', dialog());
  await menu('Actions for the label production', /^Remove$/);
  await hear(
    dialog(),
    `
    dialog "Remove the label “production”":
      heading "Remove the label “production”" [level=2]
      button "Close":
        img
      text: Version 1.1.0 stays, but callers that ask for
      strong: production
      text: get an error.
      region "Who is affected":
        heading "Who is affected" [level=2]
        status: 4 API keys asked for the label production in the last 7 days (3,001 fetches) and will get an error on the next fetch.
        list:
          listitem:
            link "web":
              /url: /api-keys/web00000
            text: breaks
            paragraph:
              text: asks for production · 1,000 fetches · last
              time: yesterday
            paragraph: sends no value for sum, tax
          listitem:
            link "job":
              /url: /api-keys/job00000
            text: may break
            paragraph:
              text: asks for production, latest · 1 fetch · last
              time: yesterday
            paragraph: compiles the template itself, so which variables it fills in is not known
          listitem:
            link "unsure":
              /url: /api-keys/unsure00
            text: may break
            paragraph:
              text: asks for production · 1,000 fetches · last
              time: yesterday
            paragraph: whether it can handle the change is not known
          listitem:
            link "fine":
              /url: /api-keys/fine0000
            text: works
            paragraph:
              text: asks for production · 1,000 fetches · last
              time: yesterday
            paragraph: sends a value for old, without effect from now on
        paragraph:
          text: Before
          time: Mar 12, 2026, 12:00 PM
          text: ", this prompt was also fetched by early. What they asked for is not listed here."
      text: Type
      code: production
      text: to confirm
      textbox "Type production to confirm"
      button "Cancel"
      button "Remove" [disabled]
  `,
  );
});

test('the vault says of each revision what made it, and of a restoration what it would do', async () => {
  const revision = { changedBy: ADMIN, secrets: 12 };
  const change = { subject: SECRET.secretId, details: {} };
  const stopped = { at: ago(1), by: ADMIN, reason: 'leak' };
  await reply('revisions-list', {
    revisions: [
      {
        ...revision,
        revision: 1_204,
        changedAt: ago(1),
        change: { ...change, action: 'secret.update', name: 'DB_URL' },
      },
      {
        ...revision,
        revision: 1_203,
        changedAt: ago(2),
        change: { ...change, action: 'vault.restore-revision', name: 'vault', details: { revision: 1_190 } },
      },
      { ...revision, revision: 1_202, changedAt: ago(3), changedBy: 'system', change: null },
      { ...revision, revision: 1_201, changedAt: ago(4), change: null, secrets: 11 },
    ],
    total: 4,
  });
  const vault = {
    revision: 1_204,
    changedAt: ago(1),
    changedBy: ADMIN,
    secrets: 12,
    bytes: 900,
    keyVersion: 2,
    reencrypted: false,
    stopped,
  };
  await reply('vault-get', { vault });
  const environments = [
    { ...ENVIRONMENT, name: 'default', stopped },
    { ...ENVIRONMENT, name: 'staging', isNew: true, secrets: 0 },
    { ...ENVIRONMENT, name: 'production', isCritical: true, secrets: null },
    { ...ENVIRONMENT, name: 'empty', secrets: 0 },
  ];
  await reply('session-get', { ...SESSION, environments: { revision: 4, environments } });
  await load('/vault');
  await byRole('table', 'Revisions').waitFor();
  await see('no application gets its secrets');
  await hear(
    byRole('main'),
    `
    main:
      alert:
        paragraph:
          text: "The vault of default is stopped: no application gets its secrets. Stopped"
          time: yesterday
          text: "by admin@example.com: leak"
        button "Resume of default": Resume
      heading "Vault" [level=1]
      text: default 12 secrets · revision 1,204
      region "Environments":
        heading "Environments" [level=2]
        text: "4"
        button "Edit the environments"
        list:
          listitem:
            link "default":
              /url: /vault
            paragraph: 12 secrets, not served
          listitem:
            link "staging":
              /url: /vault?environment=staging
            paragraph: is being created
          listitem:
            'link "Critical: production"':
              /url: /vault?environment=production
              img "Critical:"
              text: production
            paragraph: "cannot be read: its head was changed without Cuevault"
          listitem:
            link "empty":
              /url: /vault?environment=empty
            paragraph: 0 secrets
      region "Serving":
        heading "Serving" [level=2]
        button "Resume"
        paragraph: No application gets secrets.
      region "Key pair":
        heading "Key pair" [level=2]
        button "Replace the key pair"
        status: Key pair no. 2 is in use. Some values are still encrypted to an earlier one; the rotation re-encrypts them.
      region "Revisions":
        heading "Revisions" [level=2]
        text: "4"
        paragraph: Each change makes a revision. Earlier ones are kept for 7 days.
        table "Revisions":
          rowgroup:
            row "Change Number By Made Secrets Actions":
          rowgroup:
            row "changed the secret DB_URL 1,204 admin@example.com yesterday 12 current":
            row "restored revision 1,190 1,203 admin@example.com 2 days ago 12 Restore revision 1203":
                button "Restore revision 1203": Restore
            row "re-encrypted values 1,202 system 3 days ago 12 Restore revision 1202":
                button "Restore revision 1202": Restore
            row "not in the audit log 1,201 admin@example.com 4 days ago 11 Restore revision 1201":
                button "Restore revision 1201": Restore
  `,
  );
  const restored = { revision: null, changed: [], returning: [], removed: [], switchedOff: [], readers: [] };
  await reply('revisions-restore', {
    ...restored,
    changed: ['A', 'B'],
    switchedOff: ['B'],
    readers: ['web', 'job'],
  });
  const restore = exactly('button', 'Restore', dialog());
  await press('Restore revision 1202');
  await enter(/^Type 1202/, '1201', dialog());
  await hear(
    dialog(),
    `
    dialog "Restore revision 1,202":
      heading "Restore revision 1,202" [level=2]
      button "Close":
        img
      alert "Applications would fail":
        text: Applications would fail
        paragraph:
          strong: "1 secret will have a credential that is recorded as disabled:"
          text: B
      paragraph:
        strong: "2 secrets will return to earlier values or tags:"
        text: A, B
      paragraph: "2 API keys can read them: web, job."
      text: Type 1202 to confirm that secrets are deleted or stop working
      textbox "Type 1202 to confirm that secrets are deleted or stop working": "1201"
      button "Cancel"
      button "Restore" [disabled]
  `,
  );
  await enter(/^Type 1202/, '1202', dialog());
  expect(await restore.isEnabled()).toBe(true);
  await press('Cancel', dialog());
  await reply('revisions-restore', { ...restored, returning: ['C'] });
  await press('Restore revision 1203');
  await see('will be restored', dialog());
  await hear(
    dialog(),
    `
    dialog "Restore revision 1,203":
      heading "Restore revision 1,203" [level=2]
      button "Close":
        img
      paragraph:
        strong: "1 secret will be restored:"
        text: C
      button "Cancel"
      button "Restore"
  `,
  );
  await press('Cancel', dialog());
  await reply('revisions-restore', restored);
  await press('Restore revision 1201');
  await see('No secret differs from this revision.', dialog());
  const codes = ['would_widen_access', 'changed_meanwhile', 'would_widen_access'];
  const confirmed: unknown[] = [];
  await page.route(/restore\?confirm=/, (route) => {
    const count = confirmed.push(new URL(route.request().url()).searchParams.get('confirm'));
    const headers = { 'cuevault-error': codes[count - 1] ?? '' };
    return route.fulfill({ status: 409, headers, json: { err: `Refusal ${count}.`, res: null } });
  });
  await restore.click();
  await tick('Let these API keys read them', dialog());
  for (const refusal of ['Refusal 2.', 'Refusal 3.']) {
    await restore.click();
    await see(refusal, dialog());
  }
  // What was confirmed named other keys.
  expect([confirmed, await restore.isEnabled()]).toEqual([['false', 'true', 'false'], false]);
  await press('Cancel', dialog());
  await reply('rotation-start', { keyVersion: 2 });
  await press('Replace the key pair');
  await press('Replace', dialog());
  await reply('vault-get', { vault: { ...vault, keyVersion: 3 } });
  await see('Key pair no. 3 is in use.');
  await disabled(byRole('button', 'Replace the key pair'));
  await press('Edit the environments');
  await enter('Add an environment', 'prod', dialog());
  await press('Add', dialog());
  await enter('Add an environment', 'staging', dialog());
  await hear(
    dialog(),
    `
    dialog "Environments":
      heading "Environments" [level=2]
      button "Close":
        img
      paragraph:
        text: Each has secrets, a key pair and revisions of its own. A call without an environment means
        code: default
        text: . Critical ones have a flag wherever they are named.
      list:
        listitem:
          text: default
          paragraph: 12 secrets
          checkbox "default is critical"
          text: Critical
        listitem:
          text: staging
          paragraph: 0 secrets
          checkbox "staging is critical"
          text: Critical
          button "Move staging up"
          button "Remove staging"
        listitem:
          text: production
          paragraph: unknown
          checkbox "production is critical" [checked]
          text: Critical
          button "Move production up"
        listitem:
          text: empty
          paragraph: 0 secrets
          checkbox "empty is critical"
          text: Critical
          button "Move empty up"
          button "Remove empty"
        listitem:
          text: prod
          paragraph
          checkbox "prod is critical" [checked]
          text: Critical
          button "Move prod up"
          button "Remove prod"
      text: Add an environment
      paragraph: Lower-case letters, digits and “-”. It cannot be renamed.
      textbox "Add an environment":
        /placeholder: staging
        text: staging
      button "Add" [disabled]
      button "Cancel"
      button "Save"
  `,
  );
});
