import { Spotlight, useSpotlight } from '@mantine/spotlight';
import { IconKey, IconKeyOff, IconLock, IconMessage2Code, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { useRole } from '../../api/session-context.tsx';
import { useLate } from '../../components/use-late.ts';
import { confirmRevocation } from '../../features/api-keys/revoke-dialog.tsx';
import { screensFor } from '../screens.ts';
import { type Command, type CommandGroup, CommandsList } from './commands-list.tsx';
import { commands, commandsStore } from './commands-store.ts';
import { useActions } from './use-actions.ts';
import { matches, useFound } from './use-found.ts';
import { useSelected } from './use-selected.ts';

const LIST_ID = 'commands';

const useScreens = (typed: string): Command[] => {
  const navigate = useNavigate();
  const found = screensFor(useRole().can).filter(({ title }) => matches(title, typed));
  return found.map(({ to, title, icon }) => ({
    id: `go:${to}`,
    label: title,
    icon,
    run: () => void navigate({ to }),
  }));
};

const useGroups = (typed: string, found: ReturnType<typeof useFound>): CommandGroup[] => {
  const navigate = useNavigate();
  const { can } = useRole();
  const screens = useScreens(typed);
  const actions = useActions(typed);
  const prompts = found.prompts.map(({ promptId, name, latest }) => ({
    id: `go:${promptId}`,
    label: name,
    description: latest,
    icon: IconMessage2Code,
    run: () => void navigate({ to: '/prompts/$promptId', params: { promptId } }),
  }));
  const secrets = found.secrets.map(({ secretId, key }) => ({
    id: `go:${secretId}`,
    label: key,
    icon: IconLock,
    run: () => void navigate({ to: '/secrets/$secretId', params: { secretId } }),
  }));
  const openKey = (keyId: string) => void navigate({ to: '/api-keys/$keyId', params: { keyId } });
  const keys = found.keys.map((key) => ({
    id: `go:${key.keyId}`,
    label: key.name,
    description: key.status === 'active' ? 'API key' : `API key, ${key.status}`,
    icon: IconKey,
    run: () => openKey(key.keyId),
  }));
  const revocations = found.keys
    .filter(({ status }) => can('admin') && status !== 'revoked')
    .map((key) => ({
      id: `revoke:${key.keyId}`,
      label: `Revoke ${key.name}`,
      description: key.keyId,
      icon: IconKeyOff,
      run: () => confirmRevocation(key, openKey),
    }));
  return [
    { title: 'Screens', commands: screens },
    { title: 'Prompts', commands: prompts },
    { title: 'Secrets', commands: secrets },
    { title: 'API keys', commands: [...keys, ...revocations] },
    { title: 'Actions', commands: actions },
  ].filter(({ commands: some }) => some.length > 0);
};

const useSaid = ({ isSearching, failure }: ReturnType<typeof useFound>, isEmpty: boolean): string => {
  const isLate = useLate(isSearching);
  if (isSearching) return isLate ? 'Searching…' : '';
  if (failure) return `Prompts and secrets could not be searched. ${messageOf(failure)}`;
  return isEmpty ? 'No results.' : '';
};

/** The command palette: finds screens, prompts, secrets and actions. The shell listens for its shortcut. */
export const Commands = () => {
  const { opened } = useSpotlight(commandsStore);
  const [query, setQuery] = useState('');
  const typed = query.trim();
  const found = useFound(typed, opened);
  const groups = useGroups(typed, found);
  const results = groups.flatMap((group) => group.commands);
  const { selected, move, reset } = useSelected(results, typed);
  const said = useSaid(found, results.length === 0);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    command.run();
    commands.close();
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
      onQueryChange={setQuery}
      onSpotlightOpen={reset}
      attributes={{ content: { 'aria-label': 'Go to' } }}
      shortcut={null}
      centered={false}
      overlayProps={{ blur: 0 }}
    >
      <Spotlight.Search
        placeholder="Screen, prompt or secret"
        leftSection={<IconSearch size={18} aria-hidden />}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-label="Go to a screen, prompt or secret"
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
