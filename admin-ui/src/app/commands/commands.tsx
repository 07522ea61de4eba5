import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { useRole } from '../../api/session-context.tsx';
import { notifyFailure } from '../../components/dialogs/notify.tsx';
import { secretPage, useEnvironments } from '../../components/environments.tsx';
import {
  type Icon,
  IconArrowBackUp,
  IconKey,
  IconKeyOff,
  IconLock,
  IconMessage2Code,
  IconRefresh,
  IconUsers,
} from '../../components/icons.tsx';
import { NotSearched } from '../../components/tables/not-searched.tsx';
import { searchedFor } from '../../components/tables/searched-for.ts';
import { useLate } from '../../components/use-late.ts';
import type { KeyRow } from '../../features/api-keys/key-queries.ts';
import { openNewKey } from '../../features/api-keys/new-key-dialog.tsx';
import { confirmRevocation } from '../../features/api-keys/revoke-dialog.tsx';
import { operatorsQuery } from '../../features/operators/operator-queries.ts';
import { useProtection } from '../../features/prompts/labels/label-badge.tsx';
import { openLabelForm } from '../../features/prompts/labels/label-dialogs.tsx';
import { productionFirst } from '../../features/prompts/labels/label-names.ts';
import { promptQuery } from '../../features/prompts/prompt-queries.ts';
import { openNewValue } from '../../features/secrets/dialogs.tsx';
import { type SecretDetails, secretQuery } from '../../features/secrets/secret-queries.ts';
import { confirmRollback } from '../../features/secrets/values/secret-values.tsx';
import { screensFor } from '../screens.ts';
import { type Command, type CommandGroup, CommandsList, command } from './commands-list.tsx';
import { askedOf, isExactly, LIST_ID, matches, type Verb } from './typed.ts';
import { useActions } from './use-actions.ts';
import { useFound } from './use-found.ts';

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
