import { Spotlight, useSpotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { useRole } from '../../api/session-context.tsx';
import { secretPage, useEnvironments } from '../../components/environments.tsx';
import {
  type Icon,
  IconArrowBackUp,
  IconKey,
  IconKeyOff,
  IconLock,
  IconMessage2Code,
  IconRefresh,
  IconSearch,
  IconUsers,
} from '../../components/icons.tsx';
import { useSearchedFor } from '../../components/tables/searched-for.ts';
import { useLate } from '../../components/use-late.ts';
import type { KeyRow } from '../../features/api-keys/key-queries.ts';
import { openNewKey } from '../../features/api-keys/new-key-dialog.tsx';
import { confirmRevocation } from '../../features/api-keys/revoke-dialog.tsx';
import { operatorsQuery } from '../../features/operators/operator-queries.ts';
import { screensFor } from '../screens.ts';
import { type Command, type CommandGroup, CommandsList, command } from './commands-list.tsx';
import { commands, commandsStore } from './commands-store.ts';
import { askedOf, matches, type Verb } from './typed.ts';
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
  return { selected, move, reset: () => setChosen(undefined) };
};

const LIST_ID = 'commands';

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
  const open = (promptId: string) => () => navigate({ to: '/prompts/$promptId', params: { promptId } });
  const opening = found.prompts.map(({ promptId, name, latest: description }) =>
    command(`go:${promptId}`, name, IconMessage2Code, open(promptId), { description }),
  );
  if (verb !== 'rollback') return opening;
  const back = target.prompts.map(({ promptId, name, latest }) =>
    command(`rollback:${promptId}`, `Roll back ${name}`, IconArrowBackUp, open(promptId), {
      description: `${latest} is the latest version`,
    }),
  );
  return [...opening, ...back];
};

const useSecrets = ({ found, verb, target }: Results): Command[] => {
  const navigate = useNavigate();
  const environments = useEnvironments();
  const commandsFor = ({ secrets }: Found, id: string, start: string) =>
    secrets.map((secret) =>
      command(`${id}:${secret.secretId}`, start + secret.key, IconLock, () => navigate(secretPage(secret)), {
        ...(environments.length > 1 && { description: secret.environment }),
      }),
    );
  const opening = commandsFor(found, 'go', '');
  if (verb === undefined || verb === 'revoke') return opening;
  return [...opening, ...commandsFor(target, verb, verb === 'rotate' ? 'Rotate ' : 'Roll back ')];
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
  const changing = (does: Verb, label: string, icon: Icon, run: (key: KeyRow) => void) =>
    target.keys
      .filter(({ status }) => can('admin') && status !== 'revoked' && (verb ?? does) === does)
      .map((key) =>
        command(`${does}:${key.keyId}`, `${label} ${key.name}`, icon, () => run(key), {
          description: key.keyId,
        }),
      );
  return [
    ...opening,
    ...changing('revoke', 'Revoke', IconKeyOff, (key) => confirmRevocation(key, open)),
    ...changing('rotate', 'Rotate', IconRefresh, (key) => openNewKey(key)),
  ];
};

const useGroups = (typed: string, results: Results) => {
  const groups: CommandGroup[] = [
    { title: 'Screens', commands: useScreens(typed) },
    { title: 'Prompts', commands: usePrompts(results) },
    { title: 'Secrets', commands: useSecrets(results) },
    { title: 'API keys', commands: useKeys(results) },
    { title: 'Operators', commands: useOperators(typed) },
    { title: 'Actions', commands: useActions(typed) },
  ];
  return groups.filter(({ commands: some }) => some.length > 0);
};

const useSaid = ({ found, target }: Results, isEmpty: boolean): string => {
  const isSearching = found.isSearching || target.isSearching;
  const failure = found.failure ?? target.failure;
  const isLate = useLate(isSearching);
  if (isSearching) return isLate ? 'Searching…' : '';
  if (failure) return `Prompts and secrets could not be searched. ${messageOf(failure)}`;
  return isEmpty ? 'No results.' : '';
};

/** The command palette: finds screens, prompts, secrets, API keys and actions. The shell listens for its shortcut. */
export const Commands = () => {
  const { opened } = useSpotlight(commandsStore);
  const [query, setQuery] = useState('');
  const typed = query.trim();
  // Viewers may do nothing with what they find.
  const { name, verb } = useRole().can('editor') ? askedOf(typed) : { name: typed, verb: undefined };
  const found = { found: useFound(typed, opened), verb, target: useFound(name, opened) };
  const groups = useGroups(typed, found);
  const results = groups.flatMap((group) => group.commands);
  const { selected, move, reset } = useSelected(results, typed);
  const said = useSaid(found, results.length === 0);
  const run = (chosen: Command | undefined) => {
    if (chosen === undefined) return;
    chosen.run();
    commands.close();
  };
  const searchedFor = useSearchedFor();
  const search = (text: string) => {
    const searched = searchedFor(text);
    if (searched === undefined) commands.close();
    setQuery(searched ?? '');
  };
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent) => {
    if (nativeEvent.isComposing) return;
    if (key === 'ArrowDown') move(1);
    if (key === 'ArrowUp') move(-1);
    if (key === 'Enter') run(selected);
  };
  return (
    <Spotlight.Root
      store={commandsStore}
      query={query}
      onQueryChange={search}
      onSpotlightOpen={reset}
      attributes={{ content: { 'aria-label': 'Go to' } }}
      shortcut={null}
      centered={false}
      overlayProps={{ blur: 0 }}
    >
      <Spotlight.Search
        placeholder="Screen, prompt, secret or API key"
        leftSection={<IconSearch size={18} />}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-label="Go to a screen, prompt, secret or API key"
        aria-autocomplete="list"
        aria-expanded={results.length > 0}
        aria-controls={LIST_ID}
        aria-activedescendant={selected?.id}
      />
      <CommandsList id={LIST_ID} groups={groups} selected={selected?.id} onRun={run} />
      <div role="status">{said && <Spotlight.Empty>{said}</Spotlight.Empty>}</div>
    </Spotlight.Root>
  );
};
