import { Box, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate, useParams } from '@tanstack/react-router';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { keysList } from '../../../../contract/endpoints/api-keys.ts';
import { promptsList } from '../../../../contract/endpoints/prompts.ts';
import { secretsList } from '../../../../contract/endpoints/secrets.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryClient, replyQuery } from '../../api/queries.ts';
import { useCan, useSession } from '../../api/session-context.tsx';
import { keyPage, promptPage, Small } from '../../components/basics.tsx';
import { notifyDone, notifyFailure, notifyIgnored } from '../../components/dialogs.tsx';
import { secretPage, useEnvironments, useOf } from '../../components/environments.tsx';
import { useLate } from '../../components/states.tsx';
import { NotSearched } from '../../components/tables/filters.tsx';
import { searchedFor } from '../../components/tables/searched-for.ts';
import { openRevocation } from '../../features/api-keys/key-actions.tsx';
import { openNewKey } from '../../features/api-keys/new-key-dialog.tsx';
import { openInvitation } from '../../features/operators/invite-form.tsx';
import { operatorsQuery } from '../../features/operators/operator-queries.ts';
import { useProtection } from '../../features/prompts/labels/label-badge.tsx';
import { openLabelForm } from '../../features/prompts/labels/label-dialogs.tsx';
import { productionFirst } from '../../features/prompts/labels/label-names.ts';
import { promptQuery } from '../../features/prompts/prompt-queries.ts';
import { openNewSecret, openNewValue } from '../../features/secrets/dialogs.tsx';
import { confirmRollback } from '../../features/secrets/readers.tsx';
import { type SecretDetails, secretQuery } from '../../features/secrets/secret-queries.ts';
import { confirmResume, confirmStop } from '../../features/secrets/serving.tsx';
import { screensFor } from '../screens.ts';
import { openShortcuts } from '../shortcuts/use-shortcuts.ts';
import classes from './palette.module.css';
import { askedOf, isExactly, LIST_ID, matches, type Verb } from './typed.ts';

interface Command {
  readonly label: string;
  readonly description?: string | undefined;
  readonly run: () => unknown;
}

interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Identifies a command, also as an element. */
const idOf = ({ label, description }: Command): string =>
  encodeURIComponent(`${LIST_ID} ${label} ${description}`);

/** The selected result and a function to select another. Typing selects the first result. */
const useSelected = (results: readonly Command[], typed: string) => {
  const [chosen, setChosen] = useState<{ readonly id: string | undefined; readonly typed: string }>();
  const index = results.findIndex((each) => chosen?.typed === typed && idOf(each) === chosen.id);
  const selected = results[index === -1 && typed !== '' ? 0 : index];
  const move = (steps: number) => {
    const from = selected === undefined ? Math.min(0, -steps) : results.indexOf(selected);
    const next = results.at((from + steps) % results.length);
    setChosen({ id: next && idOf(next), typed });
  };
  return { selected, move };
};

const MOST_FOUND = 8;
const PAUSE_MS = 120;

const MORE = { placeholderData: keepPreviousData };

/**
 * The first prompts, secrets and API keys that the service finds for the search text; the last two only if the text is not empty.
 * Until the service answers, its previous results are filtered by name, so that only matches are shown. `failure` is
 * the error of the search.
 */
const useFound = (typed: string) => {
  const [q] = useDebouncedValue(typed, PAUSE_MS);
  const query = { limit: MOST_FOUND, q };
  const key = (resource: string) => [resource, 'commands', q];
  const enabled = q !== '';
  const prompts = useQuery({ ...replyQuery(key('prompts'), promptsList, { query }), ...MORE });
  const secrets = useQuery({
    ...replyQuery(key('secrets'), secretsList, { query: { environment: '*', ...query } }),
    enabled,
    ...MORE,
  });
  const keys = useQuery({ ...replyQuery(key('api-keys'), keysList, { query }), enabled, ...MORE });
  const asked = q === '' ? [prompts] : [prompts, secrets, keys];
  const isOld = q !== typed || asked.some(({ isPlaceholderData }) => isPlaceholderData);
  const fits = (name: string): boolean => !isOld || matches(name, typed);
  return {
    isSearching: isOld || asked.some(({ isPending }) => isPending),
    failure: asked.find(({ isError }) => isError)?.error ?? undefined,
    prompts: (prompts.data?.prompts ?? []).filter(({ name }) => fits(name)),
    keys: typed === '' ? [] : (keys.data?.keys ?? []).filter(({ name }) => fits(name)),
    secrets: typed === '' ? [] : (secrets.data?.secrets ?? []).filter((each) => fits(each.key)),
  };
};

interface Results extends ReturnType<typeof useFound> {
  /** What is to be done with what is found. */
  readonly verb: Verb | undefined;
  /** Whether it is also found by its name; what has a verb in its name is. */
  readonly isNamed: (name: string) => boolean;
}

const usePrompts = ({ prompts, verb, isNamed }: Results): Command[] => {
  const navigate = useNavigate();
  const { mayMove } = useProtection();
  const rollBack = async (promptId: string, label: string) => {
    await navigate(promptPage(promptId));
    const { moves } = await queryClient.fetchQuery(promptQuery(promptId));
    const version = moves.find((move) => move.label === label)?.from;
    if (version) openLabelForm({ promptId, label, version, isBack: true });
    else notifyIgnored(`${label} has not moved yet.`);
  };
  const opens = prompts
    .filter(({ name }) => isNamed(name))
    .map(({ promptId, name, latest: description }) => ({
      label: name,
      description,
      run: () => navigate(promptPage(promptId, name)),
    }));
  const back = prompts.flatMap(({ promptId, name, labels }) => {
    const first = productionFirst(labels).find(({ label }) => mayMove(label));
    if (!first || verb !== 'rollback') return [];
    const run = () => rollBack(promptId, first.label).catch(notifyFailure);
    return [{ label: `Roll back ${name}`, description: `${first.label} serves ${first.version}`, run }];
  });
  return [...opens, ...back];
};

/** Opens the dialog in which the last value takes the place of the current one. */
const rollBack = ({ secret, values: [last] }: SecretDetails): void => {
  if (last) confirmRollback(secret, last);
};

const useSecrets = ({ secrets, verb, isNamed }: Results): Command[] => {
  const navigate = useNavigate();
  const isOne = useEnvironments().length === 1;
  type Secret = Results['secrets'][number];
  const commandFor = (label: string, secret: Secret, act?: (details: SecretDetails) => void) => ({
    label,
    description: isOne ? undefined : secret.environment,
    run: async () => {
      await navigate(secretPage(secret));
      if (act)
        await queryClient.fetchQuery({ ...secretQuery(secret), staleTime: 0 }).then(act, notifyFailure);
    },
  });
  return secrets.flatMap((secret) => [
    ...(isNamed(secret.key) ? [commandFor(secret.key, secret)] : []),
    ...(verb === 'rotate'
      ? [commandFor(`Rotate ${secret.key}`, secret, (details) => openNewValue(details.secret))]
      : []),
    ...(verb === 'rollback' && secret.number > 1
      ? [commandFor(`Roll back ${secret.key}`, secret, rollBack)]
      : []),
  ]);
};

const useKeys = ({ keys, verb, isNamed }: Results): Command[] => {
  const navigate = useNavigate();
  const can = useCan();
  const open = (keyId: string) => void navigate(keyPage(keyId));
  const opens = keys
    .filter(({ name }) => isNamed(name))
    .map(({ keyId, name, status }) => ({
      label: name,
      description: `API key ${keyId}${status === 'active' ? '' : `, ${status}`}`,
      run: () => open(keyId),
    }));
  const acts = keys
    .filter(({ status }) => can('admin') && status !== 'revoked')
    .flatMap((key) => [
      {
        does: 'revoke',
        label: `Revoke ${key.name}`,
        description: key.keyId,
        run: () => openRevocation(key, open),
      },
      { does: 'rotate', label: `Rotate ${key.name}`, description: key.keyId, run: () => openNewKey(key) },
    ]);
  return [...opens, ...acts.filter(({ does }) => does === (verb ?? does))];
};

/** What an action is called, where it leads or what it does, and further words that find it. */
type Action = readonly [label: string, does: NavigateOptions | (() => unknown), words?: string];

/** What is looked for by this word is in several places. */
const SETTINGS = 'settings';

const VAULT = { to: '/vault' } as const;

/** Screens and operators by their names, and what can be done apart from opening things. */
const useActions = (typed: string) => {
  const navigate = useNavigate();
  const { promptId, secretId } = useParams({ strict: false });
  const can = useCan();
  const { signOut } = useSession();
  const of = useOf();
  const environments = useEnvironments();
  const { setColorScheme } = useMantineColorScheme();
  const { data: operators = [] } = useQuery({ ...operatorsQuery, enabled: typed !== '' && can('admin') });
  const shown = promptId ?? secretId;
  const copy = (id: string) =>
    navigator.clipboard.writeText(id).then(() => notifyDone(`${id} is copied.`), notifyFailure);
  const create: readonly Action[] = [
    ['New prompt', { to: '/prompts/new' }],
    ['New secret', () => navigate({ to: '/secrets' }).then(() => openNewSecret())],
    ['Roll back a prompt: what went live', { to: '/prompts/live', search: { since: 'week' } }],
    ['Prompts with a draft', { to: '/prompts', search: { draft: 'yes' } }],
    ['Rotate or roll back a secret', { to: '/secrets' }],
    ['Import secrets', { to: '/secrets/import' }],
  ];
  const administration: readonly Action[] = [
    ...environments.map(
      ({ name, stopped }): Action =>
        stopped
          ? [`Resume serving secrets${of(name)} (stopped vault)`, () => confirmResume(name)]
          : [`Stop serving secrets${of(name)} (vault)`, () => confirmStop(name)],
    ),
    ['Who has a value that has leaked?', { to: '/secrets/who-has' }],
    ['Add or order environments', VAULT, SETTINGS],
    ['Where events are sent', { to: '/notifications' }, `${SETTINGS} webhook`],
    ['Vault: roll back all secrets, rotate the key pair', VAULT],
    ['Invite an operator', () => navigate({ to: '/operators' }).then(openInvitation)],
    ['Revoke or rotate an API key', { to: '/api-keys', search: { status: 'active' } }],
    ['New API key', () => navigate({ to: '/api-keys' }).then(() => openNewKey())],
  ];
  const actions: readonly Action[] = [
    ...(shown ? [['Copy the id', () => copy(shown), shown] as const] : []),
    ...(can('editor') ? create : []),
    ...(can('admin') ? administration : []),
    ['Light appearance', () => setColorScheme('light'), SETTINGS],
    ['Dark appearance', () => setColorScheme('dark'), SETTINGS],
    ['Appearance of the system', () => setColorScheme('auto'), SETTINGS],
    ['Keyboard shortcuts', openShortcuts, SETTINGS],
    ['Sign out', signOut],
  ];
  const groupOf = (title: string, some: readonly Action[]): CommandGroup => ({
    title,
    commands: some
      .filter(([label, , words = '']) => matches(`${label} ${words}`, typed))
      .map(([label, does]) => ({ label, run: typeof does === 'function' ? does : () => navigate(does) })),
  });
  return {
    screens: groupOf(
      'Screens',
      screensFor(can).map(({ to, title }) => [title, { to }]),
    ),
    others: [
      groupOf('Operators', typed === '' ? [] : operators.map(({ email }) => [email, { to: '/operators' }])),
      groupOf('Actions', actions),
    ],
  };
};

/** The same items, these first. */
const firstOf = <Item,>(items: readonly Item[], isFirst: (item: Item) => boolean): Item[] =>
  items.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));

/** The groups that have results; what has exactly the name that is typed comes first. */
const useGroups = (typed: string, results: Results): CommandGroup[] => {
  const { screens, others } = useActions(typed);
  const groups = [
    screens,
    { title: 'Prompts', commands: usePrompts(results) },
    { title: 'Secrets', commands: useSecrets(results) },
    { title: 'API keys', commands: useKeys(results) },
    ...others,
  ];
  const isNamed = ({ label }: Command) => isExactly(label, typed);
  const found = groups
    .filter(({ commands }) => commands.length > 0)
    .map(({ title, commands }) => ({ title, commands: firstOf(commands, isNamed) }));
  return firstOf(found, ({ commands }) => commands.some(isNamed));
};

const useSaid = ({ isSearching, failure }: Results, isEmpty: boolean): string => {
  const isLate = useLate(isSearching);
  if (isSearching) return isLate ? 'Searching…' : '';
  if (failure) return `Prompts and secrets could not be searched. ${messageOf(failure)}`;
  return isEmpty ? 'No results.' : '';
};

export interface CommandsProps {
  field: RefObject<HTMLInputElement | null>;
  /** Gets what is called with each other key that is pressed in the field. */
  keys: RefObject<((key: string) => void) | undefined>;
  typed: string;
  /** How often Enter was pressed since the last change of the text. */
  entered: number;
  onClose: () => void;
}

/** The results of the command palette: screens, prompts, secrets, API keys and actions. */
export const Commands = ({ field, keys, typed: text, entered, onClose }: CommandsProps) => {
  const searched = searchedFor(text);
  const typed = searched?.trim() ?? '';
  // Viewers may do nothing with what they find.
  const { name, verb } = useCan()('editor') ? askedOf(typed) : { name: typed, verb: undefined };
  const found = {
    ...useFound(name),
    verb,
    isNamed: (own: string) => verb === undefined || matches(own, typed),
  };
  const all = useGroups(typed, found);
  const groups = searched === undefined ? [] : all;
  const results = groups.flatMap((group) => group.commands);
  const { selected, move } = useSelected(results, typed);
  const said = useSaid(found, results.length === 0);
  const run = (chosen: Command | undefined) => {
    if (chosen === undefined) return;
    void chosen.run();
    onClose();
  };
  const { isSearching } = found;
  const enter = useEffectEvent(() => run(selected));
  useEffect(() => {
    if (entered > 0 && !isSearching) enter();
  }, [entered, isSearching]);
  const chosen = selected && idOf(selected);
  useLayoutEffect(() => {
    keys.current = (key) => {
      if (key === 'ArrowDown') move(1);
      if (key === 'ArrowUp') move(-1);
    };
    field.current?.setAttribute('aria-expanded', String(results.length > 0));
    field.current?.setAttribute('aria-activedescendant', chosen ?? '');
  });
  useEffect(() => {
    if (chosen) document.getElementById(chosen)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <>
      {/* The field above keeps the focus and announces the selected result. */}
      <Box
        role="listbox"
        id={LIST_ID}
        aria-label="Results"
        hidden={groups.length === 0}
        mah="60vh"
        p="0.25rem"
        style={{ overflowY: 'auto', borderTop: '1px solid var(--cv-line)' }}
      >
        {groups.map(({ title, commands }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
          <div key={title} role="group" aria-label={title}>
            <Small fw={600} p="0.5rem 0.75rem 0.2rem" aria-hidden="true">
              {title}
            </Small>
            {commands.map((command) => (
              <UnstyledButton
                key={idOf(command)}
                id={idOf(command)}
                role="option"
                aria-selected={idOf(command) === chosen}
                tabIndex={-1}
                className={classes.option ?? ''}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => run(command)}
              >
                {command.label}
                {command.description && <span className={classes.description}>{command.description}</span>}
              </UnstyledButton>
            ))}
          </div>
        ))}
      </Box>
      <Text component="div" role="status" c="dimmed" ta="center" {...(said && { p: 'md' })}>
        {searched === undefined ? <NotSearched typed={text} onFind={onClose} /> : said}
      </Text>
    </>
  );
};
