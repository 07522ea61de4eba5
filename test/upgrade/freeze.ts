// npm run freeze-data: writes a data folder and a backup of this version as fixtures. Run it at a release.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApiKey, revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import type { Change } from '../../lambdas/store/audit.ts';
import { saveDraft } from '../../lambdas/store/prompts/drafts.ts';
import { withFragments } from '../../lambdas/store/prompts/fragments.ts';
import { setLabel } from '../../lambdas/store/prompts/labels.ts';
import { createPrompt, deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { publishVersion } from '../../lambdas/store/prompts/publishing.ts';
import { createSecret, updateSecret } from '../../lambdas/store/secrets/secrets.ts';
import type { Vault } from '../../lambdas/store/vault/vault.ts';
import { LINK_FILE } from '../../local/identity/paths.ts';
import { startInstance } from '../../local/instance.ts';
import manifest from '../../package.json' with { type: 'json' };
import { openInstallation } from '../../scripts/aws/installation.ts';
import { makeBackup } from '../../scripts/backup/make.ts';

/** What the opened fixture must still contain. `keys` are API keys in clear, of an installation that nobody uses. */
export interface Frozen {
  readonly keys: { readonly active: string; readonly revoked: string };
  readonly prompts: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

const CONTENT = { tags: ['frozen'], metaProperties: { team: 'docs' }, note: 'first' };

const fill = async (table: Vault): Promise<Frozen> => {
  const change: Change = {
    at: new Date(),
    actor: { id: 'operator', name: 'operator@example.com' },
    isAdmin: true,
    requestId: 'freeze',
  };
  const kept = await createPrompt(table, change, { name: 'kept', prompt: 'Hello {{user}}', ...CONTENT });
  await publishVersion(table, change, kept.promptId, { ...CONTENT, prompt: 'Hi {{user}}', bump: 'minor' });
  await setLabel(table, change, kept.promptId, 'production', '1.0.0');
  await saveDraft(table, change, kept.promptId, { ...CONTENT, prompt: 'unfinished' });
  const chat = {
    ...CONTENT,
    prompt: JSON.stringify([{ role: 'user', content: '{{question}}' }]),
    type: 'chat' as const,
    variables: { question: { type: 'string' as const, default: 'Why?' } },
  };
  await createPrompt(table, change, { name: 'chat', ...chat });
  const wider = {
    ...CONTENT,
    prompt: '{{> "kept"}}!',
    includes: [{ name: 'kept', version: '1.1.0', contentHash: '' }],
  };
  await createPrompt(table, change, { name: 'wider', ...(await withFragments(table, wider)) });
  const gone = await createPrompt(table, change, { name: 'deleted', prompt: 'Bye', ...CONTENT });
  await deletePrompt(table, change, gone.promptId);
  const secret = await createSecret(table, change, { key: 'TOKEN', value: 'first', tags: ['frozen'] });
  await updateSecret(table, change, secret.secretId, { value: 'second' });
  const active = await createApiKey(table, change, { name: 'active', permissions: ['prompts', 'secrets'] });
  const revoked = await createApiKey(table, change, { name: 'revoked', permissions: ['prompts'] });
  await revokeApiKey(table, change, revoked.record.keyId);
  return {
    keys: { active: active.apiKey, revoked: revoked.apiKey },
    prompts: { kept: 'Hi {{user}}', chat: chat.prompt, wider: 'Hi {{user}}!' },
    secrets: { TOKEN: 'second' },
  };
};

const target = fileURLToPath(new URL(`fixtures/${manifest.version}`, import.meta.url));
const dataFolder = mkdtempSync(path.join(tmpdir(), 'cuevault-freeze-'));
const onLog = (line: string) => process.stderr.write(line);
const instance = await startInstance({ dataFolder, port: 0, sample: false, onLog });
const frozen = await fill(instance.table);
await instance.settled();
await instance.stop();
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const installation = await openInstallation({ dataFolder });
await makeBackup(installation, { file: path.join(target, 'backup.jsonl') });
await installation.close();
cpSync(dataFolder, path.join(target, 'data'), { recursive: true });
for (const name of ['lock', 'lock.pid', LINK_FILE]) rmSync(path.join(target, 'data', name), { force: true });
writeFileSync(path.join(target, 'frozen.json'), `${JSON.stringify(frozen, null, 2)}\n`);
rmSync(dataFolder, { recursive: true });
process.stdout.write(`Frozen: ${target}\n`);
