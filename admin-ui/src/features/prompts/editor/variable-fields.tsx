import { Checkbox, NativeSelect, Table, TagsInput, TextInput } from '@mantine/core';
import {
  VARIABLE_TYPES,
  type VariableDeclaration,
  type VariableType,
} from '../../../../../contract/content/content.ts';
import { fits, isRequired } from '../../../../../contract/content/variables.ts';
import { textOf } from '../versions/variables-table.tsx';
import { readValue } from './values.ts';

const EMPTY = { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} } as const;

interface VariableFieldsProps {
  readonly name: string;
  readonly declaration: VariableDeclaration;
  readonly onChange: (declaration: VariableDeclaration) => void;
}

/** The cells of a variable in the table, edited in place. What does not fit the type stays as text, which is refused. */
export const VariableFields = ({ name, declaration, onChange }: VariableFieldsProps) => {
  const { type, enum: allowed = [], default: preset, description = '' } = declaration;
  const set = (change: Partial<Record<keyof VariableDeclaration, unknown>>) => {
    const { type: next = type, ...fields } = { ...declaration, ...change } as VariableDeclaration;
    const read = (value: unknown) => readValue(textOf(value), next) ?? value;
    onChange({
      type: next,
      ...(fields.default !== undefined && { default: read(fields.default) }),
      ...(fields.enum?.length && { enum: fields.enum.map(read) }),
      ...(fields.description && { description: fields.description }),
    });
  };
  return (
    <>
      <Table.Td>
        <NativeSelect
          size="xs"
          aria-label={`Type of ${name}`}
          data={VARIABLE_TYPES}
          value={type}
          onChange={(event) => set({ type: event.currentTarget.value as VariableType })}
        />
      </Table.Td>
      <Table.Td>
        <Checkbox
          size="md"
          aria-label={`${name} is required`}
          checked={isRequired(declaration)}
          onChange={(event) =>
            set({ default: event.currentTarget.checked ? undefined : (allowed[0] ?? EMPTY[type]) })
          }
        />
      </Table.Td>
      <Table.Td>
        <TextInput
          size="xs"
          aria-label={`Default of ${name}`}
          disabled={isRequired(declaration)}
          value={textOf(preset)}
          onChange={(event) => set({ default: event.currentTarget.value })}
          error={preset !== undefined && !fits(preset, declaration) && 'Does not fit.'}
        />
      </Table.Td>
      <Table.Td>
        <TagsInput
          size="xs"
          styles={{ inputField: { minHeight: 24 } }}
          aria-label={`Allowed values of ${name}`}
          placeholder={allowed.length === 0 ? 'any' : ''}
          value={allowed.map(textOf)}
          onChange={(values) => set({ enum: values })}
        />
      </Table.Td>
      <Table.Td>
        <TextInput
          size="xs"
          aria-label={`Description of ${name}`}
          value={description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
      </Table.Td>
    </>
  );
};
