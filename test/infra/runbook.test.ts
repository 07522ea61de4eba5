import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { newFolder } from '../support/new-folder.ts';
import { fullStack, templateOf } from './gate/full.ts';
import { actionsOf, otherwise, type Statement, type Synthesized } from './stack.ts';

const runbook = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const folder = newFolder();

// Stands for the AWS CLI: it knows the resources of a stack, answers anything else with one word, and records its calls.
const AWS = `#!/bin/sh
for argument; do printf '%s\\t' "$argument" >> "$CALLS"; done
echo >> "$CALLS"
if [ "$2" = list-stack-resources ]; then cat "$RESOURCES"; else echo answer; fi
`;
writeFileSync(path.join(folder, 'aws'), AWS);
chmodSync(path.join(folder, 'aws'), 0o755);
mkdirSync(path.join(folder, 'sealed-log/2026-01-01'), { recursive: true });
writeFileSync(path.join(folder, 'sealed-log/2026-01-01/1.jsonl.gz'), gzipSync(''));

const FENCED = /^( *)```(\w*)\n([\s\S]*?)^ *```$/gm;
const blocks = [...runbook.matchAll(FENCED)].flatMap(([, , language, text = '']) =>
  language === 'sh' ? text : [],
);
const [functions = ''] = blocks.filter((block) => block.includes('resource()'));
const spans = [...runbook.replaceAll(FENCED, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const COMMANDS = [...blocks.filter((block) => block !== functions), ...spans]
  .map((command) => command.replaceAll(/\n {2}(?=\S)/g, ' '))
  .filter((command) => /(^|\n)(\w+=)?"?\$?\(?(aws|logs|mapping) /.test(command));

/** Runs a command in bash as an operator would paste it; returns its calls of the AWS CLI after those that look things up. */
const paste = (command: string, stack: Synthesized) => {
  const [CALLS, RESOURCES] = ['calls', 'resources'].map((name) => path.join(folder, name)) as [
    string,
    string,
  ];
  const rows = Object.keys(templateOf(stack).Resources).map((id) => `${id}\tphysical-${id}`);
  writeFileSync(RESOURCES, `${rows.join('\n')}\n`);
  writeFileSync(CALLS, '');
  const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH}`, CALLS, RESOURCES };
  const script = `set -u\n${functions}\n${command}`;
  // Without --norc, bash takes a socket as input for a remote login, and reads a .bashrc that may change the PATH.
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', script], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  const calls = readFileSync(CALLS, 'utf8').trim().split('\n');
  return { status, stderr, calls: calls.map((line) => line.trim().split('\t')) };
};

/** Resources that exist only with a setting. */
const OPTIONAL = /first-?operator|pre-sign-up/;

test('the runbook has commands for the AWS CLI, without placeholders', () => {
  expect(COMMANDS.length).toBeGreaterThan(30);
  expect(COMMANDS.filter((command) => /<[\w ]+>|…/.test(command))).toEqual([]);
});

describe.each([
  ['every setting', fullStack(), /^$/],
  ['other settings', otherwise(), OPTIONAL],
] as const)('with %s, whoever pastes', (_, stack, missing) => {
  test.each(COMMANDS.filter((command) => !missing.test(command)))(
    '%s names one resource each time',
    (command) => {
      const { status, stderr, calls } = paste(command, stack);
      expect(stderr).toBe('');
      // A grep at the end finds nothing in what the stand-in answers.
      if (!command.includes('| grep')) expect(status).toBe(0);
      for (const argument of calls.flat()) expect(argument).toMatch(/^\S[^\n]*$/);
      const named = calls.flat().flatMap((argument) => argument.match(/physical-\w+/g) ?? []);
      const lookups = command.match(/\$\((resource|mapping) |logs /g) ?? [];
      expect(named.length).toBeGreaterThanOrEqual(lookups.length > 0 ? 1 : 0);
      for (const name of named)
        expect(templateOf(stack).Resources).toHaveProperty(name.replace('physical-', ''));
    },
  );
});

test('the commands before a removal close every policy that stays, for everyone', () => {
  const full = fullStack();
  const { status, calls } = paste(blocks.find((block) => block.includes('disable-key')) ?? '', full);
  expect(status).toBe(0);
  const policyIn = (operation: string) =>
    JSON.parse(calls.find(([, name]) => name === operation)?.at(-1) ?? '{}').Statement;
  const declared = full.only('AWS::DynamoDB::GlobalTable').Properties.Replicas;
  expect(policyIn('put-resource-policy')).toEqual([
    {
      Effect: 'Deny',
      Principal: '*',
      Resource: ['answer'],
      Action: declared[0].ResourcePolicy.PolicyDocument.Statement[0].Action,
    },
  ]);
  const [{ Effect, Action, Condition }] = policyIn('put-bucket-policy');
  expect([Effect, Condition]).toEqual(['Deny', undefined]);
  const denied = full
    .all('AWS::S3::BucketPolicy')
    .flatMap(({ PolicyDocument }): Statement[] => PolicyDocument.Statement)
    .filter((each) => each.Effect === 'Deny' && JSON.stringify(each.Resource).includes('SealedLog'))
    .flatMap(actionsOf);
  for (const action of denied) if (action !== 's3:*') expect(Action).toContain(action);
  const disabled = calls.filter(([, name]) => name === 'disable-key').map((call) => call.at(-1));
  const keys = Object.keys(full.resources('AWS::KMS::Key')).map((id) => `physical-${id}`);
  expect(disabled.sort()).toEqual(keys.sort());
});
