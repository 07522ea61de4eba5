import { Box, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate, useParams } from '@tanstack/react-router';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { keysList } from '../../../../contract/endpoints/api-keys.ts';
import { promptsList } from '../../../../contract/endpoints/prompts.ts';
import { secretsList } from '../../../../contract/endpoints/secrets.ts';
import { messageOf } from '../../api/api-error.ts';
import { replyQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { useRole, useSession } from '../../api/session-context.tsx';
import { notifyDone, notifyFailure } from '../../components/dialogs/dialog-form.tsx';
import { secretPage, useEnvironments, useOf } from '../../components/environments.tsx';
import {
  type Icon,
  IconArrowBackUp,
  IconBell,
  IconCopy,
  IconFileImport,
  IconHandStop,
  IconKey,
  IconKeyboard,
  IconKeyOff,
  IconLock,
  IconLogout,
  IconMessage2Code,
  IconMoon,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconRefresh,
  IconStack2,
  IconSun,
  IconSunMoon,
  IconTags,
  IconUserPlus,
  IconUsers,
  IconZoomQuestion,
} from '../../components/icons.tsx';
import { Small } from '../../components/small.tsx';
import { NotSearched } from '../../components/tables/filters.tsx';
import { searchedFor } from '../../components/tables/searched-for.ts';
import { useLate } from '../../components/use-late.ts';
import { confirmRevocation } from '../../features/api-keys/key-actions.tsx';
import type { KeyRow } from '../../features/api-keys/key-queries.ts';
import { openNewKey } from '../../features/api-keys/new-key-dialog.tsx';
import { openInvitation } from '../../features/operators/invite-form.tsx';
import { operatorsQuery } from '../../features/operators/operator-queries.ts';
import { useProtection } from '../../features/prompts/labels/label-badge.tsx';
import { openLabelForm } from '../../features/prompts/labels/label-dialogs.tsx';
import { productionFirst } from '../../features/prompts/labels/label-names.ts';
import { promptQuery } from '../../features/prompts/prompt-queries.ts';
import { openNewSecret, openNewValue } from '../../features/secrets/dialogs.tsx';
import { type SecretDetails, secretQuery } from '../../features/secrets/secret-queries.ts';
import { confirmRollback } from '../../features/secrets/values/secret-values.tsx';
import { confirmResume, confirmStop } from '../../features/secrets/vault/serving.tsx';
import { screensFor } from '../screens.ts';
import { openShortcuts } from '../shortcuts/use-shortcuts.ts';
import classes from './commands-list.module.css';
import { askedOf, isExactly, LIST_ID, matches, type Verb } from './typed.ts';

export interface Command {
  /** Also the id of its element. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Further words that find it. */
  readonly words?: string;
  readonly icon: Icon;
  readonly run: () => unknown;
}

export const command = (
  id: string,
  label: string,
  icon: Icon,
  run: Command['run'],
  more: Pick<Command, 'description' | 'words'> = {},
): Command => ({ id, label, icon, run, ...more });

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

export interface CommandsListProps {
  readonly id: string;
  readonly groups: readonly CommandGroup[];
  /** The id of the command that Enter runs. */
  readonly selected: string | undefined;
  readonly onRun: (command: Command) => void;
}

/** The results of the command palette. The field above keeps the focus and announces the selected result. */
export const CommandsList = ({ id, groups, selected, onRun }: CommandsListProps) => {
  useEffect(() => {
    if (selected !== undefined) document.getElementById(selected)?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <Box
      role="listbox"
      id={id}
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
            <Option key={command.id} command={command} selected={selected} onRun={onRun} />
          ))}
        </div>
      ))}
    </Box>
  );
};

const Option = ({
  command,
  selected,
  onRun,
}: Pick<CommandsListProps, 'selected' | 'onRun'> & { command: Command }) => {
  const { id, label, description, icon: Icon } = command;
  return (
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={id === selected}
      tabIndex={-1}
      className={classes.option ?? ''}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onRun(command)}
    >
      <Icon size={16} style={{ flexShrink: 0 }} />
      <span className="cv-break">
        {label}
        {description && <span className={classes.description}>{description}</span>}
      </span>
    </UnstyledButton>
  );
};

const MOST_FOUND = 8;
const PAUSE_MS = 120;

const MORE = { placeholderData: keepPreviousData };

/**
 * The first prompts, secrets and API keys that the service finds for the search text; the last two only if the text is not empty.
 * Until the service answers, its previous results are filtered by name, so that only matches are shown. `failure` is
 * the error of the search.
 */
export const useFound = (typed: string) => {
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
  const keys = useQuery({
    ...replyQuery(key('api-keys'), keysList, { query }),
    enabled,
    ...MORE,
  });
  const asked = q === '' ? [prompts] : [prompts, secrets, keys];
  const isOld = q !== typed || asked.some(({ isPlaceholderData }) => isPlaceholderData);
  const fits = (name: string): boolean => !isOld || matches(name, typed);
  return {
    isSearching: isOld || asked.some(({ isPending }) => isPending),
    failure: asked.find(({ isError }) => isError)?.error ?? undefined,
    prompts: (prompts.data?.prompts ?? []).filter(({ name }) => fits(name)),
    keys: typed === '' ? [] : (keys.data?.keys ?? []).filter(({ name }) => fits(name)),
    secrets: typed === '' ? [] : (secrets.data?.secrets ?? []).filter(({ key }) => fits(key)),
  };
};

const SCHEMES = [
  { scheme: 'light', label: 'Light appearance', icon: IconSun },
  { scheme: 'dark', label: 'Dark appearance', icon: IconMoon },
  { scheme: 'auto', label: 'Appearance of the system', icon: IconSunMoon },
] as const;

/** What is looked for by this word is in several places. */
const SETTINGS = { words: 'settings' };

const copy = (id: string) =>
  navigator.clipboard.writeText(id).then(() => notifyDone(`${id} is copied.`), notifyFailure);

/** What the command palette can do, apart from opening screens: only actions that match the search text. */
export const useActions = (typed: string): Command[] => {
  const navigate = useNavigate();
  const { promptId, secretId } = useParams({ strict: false });
  const { can } = useRole();
  const session = useSession();
  const environments = useEnvironments();
  const of = useOf();
  const { setColorScheme } = useMantineColorScheme();
  const shown = promptId ?? secretId;
  const go = (options: NavigateOptions) => () => navigate(options);
  const secrets = go({ to: '/secrets' });
  const vault = go({ to: '/vault' });
  const create = [
    command('new-prompt', 'New prompt', IconPlus, go({ to: '/prompts/new' })),
    command('move-labels', 'Move labels of many prompts', IconTags, go({ to: '/prompts/labels' })),
    command('new-secret', 'New secret', IconPlus, () => secrets().then(() => openNewSecret())),
    command(
      'roll-back-prompt',
      'Roll back a prompt: what went live',
      IconArrowBackUp,
      go({ to: '/prompts/live' }),
    ),
    command('drafts', 'Prompts with a draft', IconPencil, go({ to: '/prompts', search: { draft: 'yes' } })),
    command('rotate-secret', 'Rotate or roll back a secret', IconArrowBackUp, secrets),
    command('import-secrets', 'Import secrets', IconFileImport, go({ to: '/secrets/import' })),
  ];
  const serving = environments.map(({ name, stopped }) => {
    const label = `serving secrets${of(name)}`;
    return stopped
      ? command(`resume-vault:${name}`, `Resume ${label} (stopped vault)`, IconPlayerPlay, () =>
          confirmResume(name),
        )
      : command(`stop-vault:${name}`, `Stop ${label} (vault)`, IconHandStop, () => confirmStop(name));
  });
  const invite = () => navigate({ to: '/operators' }).then(openInvitation);
  const activeKeys = go({ to: '/api-keys', search: { status: 'active' } });
  const newKey = () => navigate({ to: '/api-keys' }).then(() => openNewKey());
  const administration = [
    ...serving,
    command('who-has', 'Who has a value that has leaked?', IconZoomQuestion, go({ to: '/secrets/who-has' })),
    command('environments', 'Add or order environments', IconStack2, vault, SETTINGS),
    command('webhook', 'Where events are sent', IconBell, go({ to: '/notifications' }), {
      words: 'settings webhook',
    }),
    command('restore-vault', 'Vault: roll back all secrets, rotate the key pair', IconArrowBackUp, vault),
    command('invite', 'Invite an operator', IconUserPlus, invite),
    command('revoke-key', 'Revoke or rotate an API key', IconKey, activeKeys),
    command('new-key', 'New API key', IconPlus, newKey),
  ];
  return [
    ...(shown
      ? [command('copy-id', 'Copy the id', IconCopy, () => copy(shown), { description: shown })]
      : []),
    ...(can('editor') ? create : []),
    ...(can('admin') ? administration : []),
    ...SCHEMES.map(({ scheme, label, icon }) =>
      command(`appearance-${scheme}`, label, icon, () => setColorScheme(scheme), SETTINGS),
    ),
    command('shortcuts', 'Keyboard shortcuts', IconKeyboard, openShortcuts, SETTINGS),
    command('sign-out', 'Sign out', IconLogout, session.signOut),
  ].filter(({ label, words = '' }) => matches(`${label} ${words}`, typed));
};

/** The selected result and a function to select another. Typing selects the first result. */
const useSelected = (results: readonly Command[], typed: string) => {
  const [chosen, setChosen] = useState<{ readonly id: string | undefined; readonly typed: string }>();
  const index = results.findIndex(({ id }) => chosen?.typed === typed && id === chosen.id);
  const selected = results[index === -1 && typed !== '' ? 0 : index];
  const move = (steps: number) => {
    const from = selected === undefined ? Math.min(0, -steps) : results.indexOf(selected);
    setChosen({ id: results.at((from + steps) % results.length)?.id, typed });
  };
  return { selected, move };
};

const useScreens = (typed: string): Command[] => {
  const navigate = useNavigate();
  const found = screensFor(useRole().can).filter(({ title }) => matches(title, typed));
  return found.map(({ to, title, icon }) => command(`go:${to}`, title, icon, () => navigate({ to })));
};

/** Operators by their addresses, for administrators. */
const useOperators = (typed: string): Command[] => {
  const navigate = useNavigate();
  const { can } = useRole();
  const { data = [] } = useQuery({ ...operatorsQuery, enabled: typed !== '' && can('admin') });
  return data
    .filter(({ email }) => typed !== '' && matches(email, typed))
    .map(({ operatorId, email, group: description }) =>
      command(`operator:${operatorId}`, email, IconUsers, () => navigate({ to: '/operators' }), {
        description,
      }),
    );
};

type Found = ReturnType<typeof useFound>;

/** What is found by the whole text, and what by the name after a verb, to do that with it. */
interface Results {
  readonly found: Found;
  readonly verb: Verb | undefined;
  /** The same as `found` without a verb. */
  readonly target: Found;
}

const usePrompts = ({ found, verb, target }: Results): Command[] => {
  const navigate = useNavigate();
  const { mayMove } = useProtection();
  const open = (promptId: string) => navigate({ to: '/prompts/$promptId', params: { promptId } });
  const rollBack = async (promptId: string, label: string) => {
    await open(promptId);
    const { moves } = await queryClient.fetchQuery(promptQuery(promptId));
    const version = moves.find((move) => move.label === label)?.from;
    openLabelForm(version ? { promptId, label, version, isBack: true } : { promptId, label });
  };
  const opening = found.prompts.map(({ promptId, name, latest: description }) =>
    command(`go:${promptId}`, name, IconMessage2Code, () => open(promptId), { description }),
  );
  if (verb !== 'rollback') return opening;
  const back = target.prompts.flatMap(({ promptId, name, labels }) =>
    productionFirst(labels)
      .filter(({ label }) => mayMove(label))
      .slice(0, 1)
      .map(({ label, version }) =>
        command(
          `rollback:${promptId}`,
          `Roll back ${name}`,
          IconArrowBackUp,
          () => rollBack(promptId, label).catch(notifyFailure),
          { description: `${label} serves ${version}` },
        ),
      ),
  );
  return [...opening, ...back];
};

const useSecrets = ({ found, verb, target }: Results): Command[] => {
  const navigate = useNavigate();
  const environments = useEnvironments();
  type Secret = Found['secrets'][number];
  const commandFor = (id: string, label: string, secret: Secret, run?: (details: SecretDetails) => void) =>
    command(
      `${id}:${secret.environment}:${secret.secretId}`,
      label,
      IconLock,
      async () => {
        await navigate(secretPage(secret));
        if (run)
          await queryClient.fetchQuery({ ...secretQuery(secret), staleTime: 0 }).then(run, notifyFailure);
      },
      environments.length > 1 ? { description: secret.environment } : {},
    );
  const opening = found.secrets.map((secret) => commandFor('go', secret.key, secret));
  if (verb === 'rotate')
    opening.push(
      ...target.secrets.map((secret) =>
        commandFor('rotate', `Rotate ${secret.key}`, secret, (details) => openNewValue(details.secret)),
      ),
    );
  if (verb === 'rollback')
    opening.push(
      ...target.secrets
        .filter(({ number }) => number > 1)
        .map((secret) =>
          commandFor('rollback', `Roll back ${secret.key}`, secret, (details) => {
            const [last] = details.values;
            if (last) confirmRollback(details.secret, last);
          }),
        ),
    );
  return opening;
};

const useKeys = ({ found, verb, target }: Results): Command[] => {
  const navigate = useNavigate();
  const { can } = useRole();
  const open = (keyId: string) => void navigate({ to: '/api-keys/$keyId', params: { keyId } });
  const opening = found.keys.map(({ keyId, name, status }) =>
    command(`go:${keyId}`, name, IconKey, () => open(keyId), {
      description: status === 'active' ? 'API key' : `API key, ${status}`,
    }),
  );
  const commandFor = (does: Verb, label: string, icon: Icon, run: (key: KeyRow) => void) =>
    target.keys
      .filter(({ status }) => can('admin') && status !== 'revoked' && (verb ?? does) === does)
      .map((key) =>
        command(`${does}:${key.keyId}`, `${label} ${key.name}`, icon, () => run(key), {
          description: key.keyId,
        }),
      );
  return [
    ...opening,
    ...commandFor('revoke', 'Revoke', IconKeyOff, (key) => confirmRevocation(key, open)),
    ...commandFor('rotate', 'Rotate', IconRefresh, (key) => openNewKey(key)),
  ];
};

/** The groups that have results; what has exactly the name that is typed comes first. */
const useGroups = (typed: string, results: Results): CommandGroup[] => {
  const groups: CommandGroup[] = [
    { title: 'Screens', commands: useScreens(typed) },
    { title: 'Prompts', commands: usePrompts(results) },
    { title: 'Secrets', commands: useSecrets(results) },
    { title: 'API keys', commands: useKeys(results) },
    { title: 'Operators', commands: useOperators(typed) },
    { title: 'Actions', commands: useActions(typed) },
  ];
  const isNamed = ({ label }: Command) => isExactly(label, typed);
  const found = groups
    .filter(({ commands: some }) => some.length > 0)
    .map(({ title, commands: some }) => ({ title, commands: firstOf(some, isNamed) }));
  return firstOf(found, ({ commands: some }) => some.some(isNamed));
};

/** The same items, these first. */
const firstOf = <Item,>(items: readonly Item[], isFirst: (item: Item) => boolean): Item[] =>
  items.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));

const useSaid = ({ found, target }: Results, isEmpty: boolean): string => {
  const isSearching = found.isSearching || target.isSearching;
  const failure = found.failure ?? target.failure;
  const isLate = useLate(isSearching);
  if (isSearching) return isLate ? 'Searching…' : '';
  if (failure) return `Prompts and secrets could not be searched. ${messageOf(failure)}`;
  return isEmpty ? 'No results.' : '';
};

export interface CommandsProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly typed: string;
  /** How often Enter was pressed since the last change of the text. */
  readonly entered: number;
  readonly onClose: () => void;
}

/** The results of the command palette: screens, prompts, secrets, API keys and actions. */
export const Commands = ({ field, typed: text, entered, onClose }: CommandsProps) => {
  const searched = searchedFor(text);
  const typed = searched?.trim() ?? '';
  // Viewers may do nothing with what they find.
  const { name, verb } = useRole().can('editor') ? askedOf(typed) : { name: typed, verb: undefined };
  const found = { found: useFound(typed), verb, target: useFound(name) };
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
  const isSearching = found.found.isSearching || found.target.isSearching;
  const enter = useEffectEvent(() => run(selected));
  useEffect(() => {
    if (entered > 0 && !isSearching) enter();
  }, [entered, isSearching]);
  const onKeyDown = useEffectEvent(({ key, isComposing }: KeyboardEvent) => {
    if (isComposing) return;
    if (key === 'ArrowDown') move(1);
    if (key === 'ArrowUp') move(-1);
  });
  useEffect(() => {
    const input = field.current;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    input?.addEventListener('keydown', listener);
    return () => input?.removeEventListener('keydown', listener);
  }, [field]);
  useLayoutEffect(() => {
    field.current?.setAttribute('aria-expanded', String(results.length > 0));
    field.current?.setAttribute('aria-activedescendant', selected?.id ?? '');
  });
  return (
    <>
      <CommandsList id={LIST_ID} groups={groups} selected={selected?.id} onRun={run} />
      <Text component="div" role="status" c="dimmed" ta="center" {...(said && { p: 'md' })}>
        {searched === undefined ? <NotSearched typed={text} onFind={onClose} /> : said}
      </Text>
    </>
  );
};
