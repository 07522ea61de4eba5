import { Table } from '@mantine/core';
import { Fragment, type ReactNode, useMemo } from 'react';
import { isOfBlock } from '../../../../../contract/content/blocks.ts';
import type { Content, VariableDeclaration } from '../../../../../contract/content/content.ts';
import { variablesIn } from '../../../../../contract/content/templates.ts';
import { declared, isRequired } from '../../../../../contract/content/variables.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { Muted, RowButton, Small } from '../../../components/basics.tsx';
import { textOf } from './text-parts.ts';

type Fields = readonly [cells: ReactNode, description: ReactNode];

interface VariablesTableProps {
  /** Its texts say which variables there are, and its fragments declare some. */
  content: Content;
  /** Declared variables that no text uses. */
  unused?: readonly string[];
  /** Removes the declaration of one of these. */
  onRemove?: (name: string) => void;
  /** The cells in which a variable is edited, and the field of its description; undefined: they only show what is declared. */
  edit?: (name: string, declaration: VariableDeclaration | undefined) => Fields | undefined;
}

/** The columns of variables without defaults and lists of values. */
const SHORT_COLUMNS = ['Name', 'Type', 'Required'];
const COLUMNS = [...SHORT_COLUMNS, 'Default', 'Allowed'];

/** The variables of the texts, with what is declared about them. */
export const VariablesTable = ({ content, unused = [], onRemove, edit }: VariablesTableProps) => {
  // Parts of conditions are variables for the service alone.
  const used = useMemo(
    () => variablesIn(content).filter((name) => !isOfBlock(name) || declared(content.variables, name)),
    [content],
  );
  const names = [...new Set([...used, ...unused])];
  const isShort = names.every((name) => {
    const { default: value, enum: allowed } = declared(content.variables, name) ?? {};
    return edit === undefined && value === undefined && allowed === undefined;
  });
  const columns = isShort ? SHORT_COLUMNS : COLUMNS;
  if (names.length === 0) return <Muted>None: it is served as it is written.</Muted>;
  return (
    // A part that scrolls must be reachable by keyboard.
    <Table.ScrollContainer minWidth={`${columns.length * 6}rem`} type="native" tabIndex={0}>
      <Table aria-label="Variables" layout="fixed" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} {...(column === 'Required' && { w: '5.5rem' })}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => {
            const declaration = declared(content.variables, name);
            const [cells, description] = edit?.(name, declaration) ?? shown(declaration, columns);
            return (
              <Fragment key={name}>
                <Table.Tr {...(description && { style: { borderBottom: 0 } })}>
                  <Table.Td className="cv-mono cv-break">
                    {visible(name)}
                    {unused.includes(name) && (
                      <Small c="amber" component="div" role="status">
                        No text uses it.{' '}
                        <RowButton aria-label={`Remove ${name}`} onClick={() => onRemove?.(name)}>
                          Remove
                        </RowButton>
                      </Small>
                    )}
                  </Table.Td>
                  {cells}
                </Table.Tr>
                {description && (
                  <Table.Tr>
                    <Table.Td colSpan={columns.length} pt={0} className="cv-break">
                      {description}
                    </Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

const shown = (declaration: VariableDeclaration | undefined, columns: readonly string[]): Fields => [
  [
    declaration?.type ?? 'any text',
    isRequired(declaration) ? 'yes' : 'no',
    textOf(declaration?.default),
    declaration?.enum?.map(textOf).join(', '),
  ]
    .slice(0, columns.length - 1)
    .map((text = '', index) => (
      <Table.Td key={columns[index + 1]} className="cv-break">
        {visible(text)}
      </Table.Td>
    )),
  declaration?.description && <Small span>{visible(declaration.description)}</Small>,
];
