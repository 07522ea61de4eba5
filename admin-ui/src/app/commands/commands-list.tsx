import { Box, UnstyledButton } from '@mantine/core';
import { useEffect } from 'react';
import type { Icon } from '../../components/icons.tsx';
import { Small } from '../../components/small.tsx';
import classes from './commands-list.module.css';

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
