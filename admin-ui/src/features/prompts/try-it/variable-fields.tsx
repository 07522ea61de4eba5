import { Select, Text, Textarea } from '@mantine/core';
import type { Content, VariableDeclaration } from '../../../../../contract/content/content.ts';
import { declared, fits, isRequired } from '../../../../../contract/content/variables.ts';
import type { JsonObject } from '../../../../../contract/fields/fields.ts';
import { variablesIn } from '../../../../../contract/templates.ts';
import { readValue, shown } from '../editor/fields/values.ts';

interface VariableFieldsProps {
  readonly content: Content;
  readonly values: JsonObject;
  readonly onChange: (values: JsonObject) => void;
}

/** A field for each variable, by its declaration. */
export const VariableFields = ({ content, values, onChange }: VariableFieldsProps) => {
  const names = variablesIn(content);
  const change = (name: string, value: unknown) => {
    const entries = Object.entries(values);
    const others = entries.filter(([other]) => other !== name);
    const changed = entries.map(([other, old]) => [other, other === name ? value : old] as const);
    const next = others.length < entries.length ? changed : [...entries, [name, value] as const];
    onChange(Object.fromEntries(value === undefined ? others : next));
  };
  if (names.length === 0)
    return (
      <Text size="md" c="dimmed">
        This template has no variables.
      </Text>
    );
  return names.map((name) => (
    <Field
      key={name}
      name={name}
      declaration={declared(content.variables, name)}
      value={Object.hasOwn(values, name) ? values[name] : undefined}
      onChange={(value) => change(name, value)}
    />
  ));
};

interface FieldProps {
  readonly name: string;
  readonly declaration: VariableDeclaration | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const textFor = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** What a declaration accepts, in a few words. */
const hintOf = ({ type, description, enum: allowed }: VariableDeclaration): string =>
  [description, allowed || type === 'string' ? undefined : type].filter(Boolean).join(' · ');

const Field = ({ name, declaration, value, onChange }: FieldProps) => {
  const type = declaration?.type ?? 'string';
  const text = textFor(value);
  const isOff = declaration !== undefined && value !== undefined && !fits(value, declaration);
  const common = {
    size: 'xs',
    label: <span className="cv-mono">{name}</span>,
    description: declaration && hintOf(declaration),
    placeholder:
      declaration && !isRequired(declaration) ? `default: ${shown(declaration.default, type)}` : '',
    error: isOff && 'Does not fit the declaration: with strict, the call fails.',
  } as const;
  const choices =
    type === 'boolean' ? ['true', 'false'] : declaration?.enum?.map((each) => shown(each, type));
  return choices === undefined ? (
    <Textarea
      {...common}
      value={text}
      onChange={({ currentTarget }) =>
        onChange(
          currentTarget.value === ''
            ? undefined
            : (readValue(currentTarget.value, type) ?? currentTarget.value),
        )
      }
      autosize
      minRows={1}
      maxRows={8}
    />
  ) : (
    <Select
      {...common}
      data={[...new Set([...choices, ...(text === '' ? [] : [text])])]}
      value={text === '' ? null : text}
      clearable
      onChange={(next) => onChange(next === null ? undefined : (readValue(next, type) ?? next))}
      allowDeselect
    />
  );
};
