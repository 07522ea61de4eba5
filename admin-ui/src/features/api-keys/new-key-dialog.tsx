import {
  Alert,
  Button,
  Checkbox,
  Input,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { useSession } from '../../api/session-context.tsx';
import { Part, Small } from '../../components/basics.tsx';
import { CodeBlock, CopyTextButton } from '../../components/code-block.tsx';
import {
  DialogFooter,
  DialogForm,
  LeaveGuard,
  openDialog,
  useDialog,
  useFields,
} from '../../components/dialogs.tsx';
import { download } from '../../components/download.ts';
import { Views } from '../../components/views.tsx';
import { type ExpiryChoice, expiresAt, lifetimeOf } from './expiry.ts';
import {
  createKey,
  examplePromptQuery,
  type KeyInput,
  type KeyRow,
  listsOf,
  type NewKey,
} from './key-queries.ts';
import {
  type Chosen,
  chosenBy,
  concerned,
  ExpiryInput,
  KeyScopes,
  MostPrompts,
  requireChosen,
} from './key-scope.tsx';
import { environmentLines, keyExamples } from './key-texts.ts';
import { PRESETS, presetOf } from './trust-presets.ts';

/** The proof of a trust, as it is edited. */
interface TrustChoice {
  readonly preset: string;
  readonly issuer: string;
  /** JSON. */
  readonly match: string;
  /** JSON, or empty. */
  readonly jwks: string;
}

const choose = (preset: string): TrustChoice => {
  const { issuer = '', match = {} } = PRESETS[preset] ?? {};
  return { preset, issuer, match: JSON.stringify(match, null, 2), jwks: '' };
};

/** The choice of the successor of a trust. */
const trustOf = ({ issuer = '', match, jwks }: KeyRow): TrustChoice => ({
  preset: 'other',
  issuer,
  match: JSON.stringify(match ?? {}, null, 2),
  jwks: jwks === undefined ? '' : JSON.stringify({ keys: jwks }),
});

const parsed = (name: string, text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} is not valid JSON.`);
  }
};

/** What is sent of a choice. Throws an error with a sentence for JSON that is not valid. */
const proofOf = ({ issuer, match, jwks }: TrustChoice) => ({
  kind: 'trust' as const,
  issuer: issuer.trim(),
  match: parsed('Claims', match),
  jwks: jwks.trim() ? parsed('Public keys', jwks) : undefined,
});

/** Who the callers of a trust are: issuer and claims, from a preset. */
const TrustInput = ({ values, text, set }: ReturnType<typeof useFields<TrustChoice>>) => (
  <>
    <Select
      label="Callers"
      data={Object.entries(PRESETS).map(([id, { label }]) => ({ value: id, label }))}
      value={values.preset}
      onChange={(preset) => preset !== null && set(choose(preset))}
    />
    <TextInput label="Issuer" description="Exactly as its tokens name it." {...text('issuer')} />
    <Textarea
      label="Claims"
      description={`A token must have one of the values of each. ${PRESETS[values.preset]?.hint ?? ''}`}
      classNames={{ input: 'cv-mono' }}
      autosize
      minRows={3}
      spellCheck={false}
      {...text('match')}
    />
    {['kubernetes', 'other'].includes(values.preset) && (
      <Textarea
        label="Public keys (JWK set)"
        description="Only for an issuer that Cuevault cannot reach. They are never refreshed: after a rotation, create another trust."
        classNames={{ input: 'cv-mono' }}
        spellCheck={false}
        {...text('jwks')}
      />
    )}
  </>
);

type Permission = KeyInput['permissions'][number];

const EMPTY = {
  name: '',
  permissions: [] as Permission[],
  lists: listsOf({}),
  chosen: {} as Chosen,
  isTrust: false,
  mostPrompts: LIMITS.promptsOfKey as number,
  expires: { expiry: '90', day: '' } as ExpiryChoice,
};

/** What a key is for, and what usually follows from it. All prompts and secrets are never chosen in advance. */
const PURPOSES: readonly { label: string; hint: string; rules: Partial<typeof EMPTY> }[] = [
  {
    label: 'Application',
    hint: 'A service that fetches prompts while it runs.',
    rules: { permissions: ['prompts'], isTrust: false, expires: EMPTY.expires },
  },
  {
    label: 'CI',
    hint: 'A pipeline that compares prompts. It needs no stored key if its platform issues tokens.',
    rules: { permissions: ['compare'], isTrust: true, expires: EMPTY.expires },
  },
  {
    label: 'Notebook',
    hint: 'Somebody who tries things out, for a month.',
    rules: { permissions: ['prompts'], isTrust: false, expires: { expiry: '30', day: '' } },
  },
];

/** The rules of a key, for its successor. */
const rulesOf = (key: KeyRow): typeof EMPTY => ({
  name: key.name,
  permissions: key.permissions,
  lists: listsOf(key),
  chosen: chosenBy(listsOf(key)),
  isTrust: key.kind === 'trust',
  mostPrompts: key.mostPrompts ?? LIMITS.promptsOfKey,
  expires: lifetimeOf(key, new Date()),
});

const NewKeyForm = ({ replaces }: { replaces: KeyRow | undefined }) => {
  const form = useFields(replaces === undefined ? EMPTY : rulesOf(replaces));
  const trust = useFields(replaces?.kind === 'trust' ? trustOf(replaces) : choose('github'));
  const { name, permissions, lists, chosen, isTrust, mostPrompts, expires } = form.values;
  const canCreate =
    name.trim() !== '' && permissions.length > 0 && (expires.expiry !== 'day' || expires.day !== '');
  const [purpose, setPurpose] = useState('');
  // Pressing again sends the same, also when the key expires.
  const [{ requestId, now }] = useState(() => ({ requestId: crypto.randomUUID(), now: new Date() }));
  const create = async () => {
    requireChosen(permissions, lists, chosen);
    const created = await createKey({
      requestId,
      name: name.trim(),
      permissions,
      ...(isTrust && proofOf(trust.values)),
      ...concerned(permissions, lists),
      ...(permissions.includes('publish') && mostPrompts !== LIMITS.promptsOfKey && { mostPrompts }),
      replaces: replaces?.keyId,
      expiresAt: expiresAt(expires, now),
    });
    openDialog({
      size: 'lg',
      holdsInput: true,
      ...(created.apiKey === undefined
        ? { title: 'Your new trust', content: <TrustShown trust={created.key} /> }
        : { title: 'Your new API key', content: <KeyOnce created={created} /> }),
    });
  };
  return (
    <DialogForm verb="Create" canSubmit={canCreate} action={create}>
      {replaces === undefined && (
        <Input.Wrapper
          label="What for"
          inputWrapperOrder={['label', 'input', 'description']}
          description={PURPOSES.find(({ label }) => label === purpose)?.hint}
        >
          <SegmentedControl
            fullWidth
            aria-label="What for"
            data={PURPOSES.map(({ label }) => label)}
            value={purpose}
            onChange={(next) => {
              setPurpose(next);
              form.set(PURPOSES.find(({ label }) => label === next)?.rules ?? {});
            }}
          />
        </Input.Wrapper>
      )}
      <TextInput
        label="Name"
        description="What will use it."
        {...form.text('name')}
        maxLength={128}
        data-autofocus
      />
      {replaces === undefined && (
        <Switch
          label="No stored key"
          description="Callers prove who they are with a token of their platform."
          checked={isTrust}
          onChange={(event) => form.set({ isTrust: event.currentTarget.checked })}
        />
      )}
      {isTrust && <TrustInput {...trust} />}
      <Checkbox.Group
        label="Permissions"
        value={permissions}
        onChange={(values) => form.set({ permissions: values as Permission[] })}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={4} mt={6}>
          <Checkbox value="prompts" label="Fetch prompts" />
          <Checkbox value="publish" label="Publish prompts from code" />
          <Checkbox value="secrets" label="Read secrets" />
          <Checkbox value="compare" label="Compare in pull requests" />
        </SimpleGrid>
      </Checkbox.Group>
      <KeyScopes
        {...{ permissions, lists, chosen }}
        onChange={form.field('lists').onChange}
        onChoose={form.field('chosen').onChange}
      />
      <MostPrompts permissions={permissions} {...form.field('mostPrompts')} />
      <ExpiryInput {...form.field('expires')} />
    </DialogForm>
  );
};

/** What the callers of a trust need. Nothing of it is secret. */
const TrustShown = ({ trust }: { trust: NewKey['key'] }) => {
  const { config } = useSession();
  const { audience = '', issuer = '' } = trust;
  return (
    <Stack>
      <Text>Nothing here is secret: what admits a caller is a token of the issuer.</Text>
      <Part title="The audience">
        <CodeBlock text={audience} label="the audience" />
      </Part>
      <Part title="For the callers">
        <CodeBlock
          text={presetOf(issuer)?.use(audience, config.apiUrl) ?? ''}
          label="the settings of the callers"
        />
      </Part>
      <Done />
    </Stack>
  );
};

/** The key with code that uses it. Asks before the key is lost. */
const KeyOnce = ({ created }: { created: NewKey }) => {
  // Copied or downloaded, so nothing can be lost.
  const [isKept, setIsKept] = useState(false);
  const onKept = () => setIsKept(true);
  const { config } = useSession();
  const { apiKey = '', key } = created;
  const example = useQuery(examplePromptQuery(key.prompts));
  const environment = environmentLines(config.apiUrl, apiKey);
  const examples = keyExamples(config.apiUrl, key.permissions, example.data ?? null);
  return (
    <Stack>
      <Alert title="Copy the key now">
        The key of <strong className="cv-break">{key.name}</strong> is shown only now: nobody can look it up
        again.
      </Alert>
      {key.replaces && (
        <Text>
          The key that it replaces ({key.replaces}) still works. Revoke it once it is no longer used.
        </Text>
      )}
      <Part title="The key" action={<CopyTextButton text={apiKey} label="the key" onCopy={onKept} />}>
        <CodeBlock text={apiKey} label="the API key" onCopy={onKept} />
      </Part>
      <Part
        title="In the environment"
        action={
          <Button
            variant="default"
            onClick={() => {
              download('cuevault.env', 'text/plain;charset=utf-8', `${environment}\n`);
              onKept();
            }}
          >
            Download as .env
          </Button>
        }
      >
        <CodeBlock text={environment} label="the environment variables" onCopy={onKept} />
      </Part>
      {!example.isPending && (
        <Part title="Try it">
          <Text mb={4}>
            After <code>set -a; . ./cuevault.env; set +a</code> the variables of the downloaded file are set
            in your shell.
          </Text>
          <Views
            defaultValue="curl"
            of={Object.fromEntries(
              examples.map(({ title, text }) => {
                const label = title === 'curl' ? 'the curl command' : `the ${title} lines`;
                return [title, [title, () => <CodeBlock text={text} label={label} />]];
              }),
            )}
          />
        </Part>
      )}
      <Small>
        The key and the environment variables are secret: keep them out of shell histories and chats.
      </Small>
      <Done />
      <LeaveGuard
        when={!isKept}
        title="Have you saved the key?"
        stay="Back to the key"
        leave="I have saved it"
      >
        <Text>It cannot be shown again. Without it, revoke this key and create another one.</Text>
      </LeaveGuard>
    </Stack>
  );
};

const Done = () => (
  <DialogFooter>
    <Button onClick={useDialog().cancel}>Done</Button>
  </DialogFooter>
);

/**
 * Creates a key and shows it once.
 * @param replaces the key that the new one replaces, with the same rules
 */
export const openNewKey = (replaces?: KeyRow): void =>
  openDialog({
    title: replaces ? `Rotate ${replaces.name}` : 'New API key',
    holdsInput: true,
    content: <NewKeyForm replaces={replaces} />,
  });
