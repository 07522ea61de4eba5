import { Table, Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { isOfBlock } from '../../../../../contract/content/blocks.ts';
import type { Content, VariableDeclaration } from '../../../../../contract/content/content.ts';
import { variablesIn } from '../../../../../contract/content/templates.ts';
import { declared, isRequired } from '../../../../../contract/content/variables.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { RowButton } from '../../../components/basics.tsx';

interface VariablesTableProps {
  /** Its texts say which variables there are, and its fragments declare some. */
  readonly content: Content;
  /** Declared variables that no text uses. */
  readonly unused?: readonly string[];
  /** Removes the declaration of one of these. */
  readonly onRemove?: (name: string) => void;
  /** The cells in which a variable is edited; undefined: they only show what is declared. */
  readonly edit?: (name: string, declaration: VariableDeclaration | undefined) => ReactNode;
}

const COLUMNS = ['Name', 'Type', 'Required', 'Default', 'Allowed', 'Description'];

/** The variables of the texts, with what is declared about them. */
export const VariablesTable = ({ content, unused = [], onRemove, edit }: VariablesTableProps) => {
  // Parts of conditions are variables for the service alone.
  const used = useMemo(
    () => variablesIn(content).filter((name) => !isOfBlock(name) || declared(content.variables, name)),
    [content],
  );
  const names = [...new Set([...used, ...unused])];
  if (names.length === 0)
    return (
      <Text c="dimmed">
        None:{' '}
        {content.type === 'chat' ? 'the messages are served as they are' : 'the text is served as it is'}.
      </Text>
    );
  return (
    // A part that scrolls must be reachable by keyboard.
    <Table.ScrollContainer minWidth="44rem" type="native" tabIndex={0}>
      <Table aria-label="Variables" layout="fixed" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map((column) => (
              <Table.Th key={column} {...(column === 'Required' && { w: '5.5rem' })}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => {
            const declaration = declared(content.variables, name);
            return (
              <Table.Tr key={name}>
                <Table.Td className="cv-mono cv-break">
                  {visible(name)}
                  {unused.includes(name) && (
                    <Text size="xs" c="amber" component="div" role="status">
                      No text uses it.{' '}
                      <RowButton aria-label={`Remove ${name}`} onClick={() => onRemove?.(name)}>
                        Remove
                      </RowButton>
                    </Text>
                  )}
                </Table.Td>
                {edit?.(name, declaration) || <Values declaration={declaration} />}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

/** A value as text: a string as it is, anything else as JSON. */
export const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const Values = ({ declaration }: { declaration: VariableDeclaration | undefined }) =>
  [
    declaration?.type ?? 'any text',
    isRequired(declaration) ? 'yes' : 'no',
    textOf(declaration?.default),
    declaration?.enum?.map(textOf).join(', '),
    declaration?.description,
  ].map((text = '', index) => (
    <Table.Td key={COLUMNS[index]} className="cv-break">
      {visible(text)}
    </Table.Td>
  ));
