import { Checkbox, Select, TagsInput, Text, TextInput } from '@mantine/core';
import { type Content, VARIABLE_TYPES } from '../../../../../../contract/content/content.ts';
import { LIMITS } from '../../../../../../contract/limits.ts';
import { variablesIn } from '../../../../../../contract/templates.ts';
import { RowButton, Small } from '../../../../components/small.tsx';
import type { Expansion, FragmentVariable } from '../expansion.ts';
import { declarationText, type EditedVariable, readValue } from './values.ts';
import classes from './variables-table.module.css';

const ANY = 'any';
const TYPES = [{ value: ANY, label: 'not declared' }, ...VARIABLE_TYPES];

/** The default that a variable has first when it becomes optional. */
const FIRST = { string: '', number: '0', integer: '0', boolean: 'false', array: '[]', object: '{}' } as const;

interface VariablesTableProps {
  /** The content, whose texts say which variables there are. */
  readonly content: Content;
  readonly expansion: Expansion;
  readonly variables: readonly EditedVariable[];
  readonly onChange: (variables: readonly EditedVariable[]) => void;
}

/** The variables of the texts, and what is declared about them. */
export const VariablesTable = ({ content, expansion, variables, onChange }: VariablesTableProps) => {
  const used = variablesIn(content);
  const unused = variables.filter(({ name }) => !used.includes(name)).map(({ name }) => name);
  const inFragments = expansion.variables.filter(({ name }) => !unused.includes(name));
  const isUsed = (name: string) =>
    variablesIn(expansion.content).includes(name) || expansion.isPending || expansion.problem !== undefined;
  if (used.length + unused.length + inFragments.length === 0)
    return (
      <Text c="dimmed">
        None: {content.type === 'chat' ? 'the messages are' : 'the text is'} served as{' '}
        {content.type === 'chat' ? 'they are' : 'it is'}.
      </Text>
    );
  const others = (name: string) => variables.filter((each) => each.name !== name);
  const set = (next: EditedVariable) =>
    onChange(
      variables.some(({ name }) => name === next.name)
        ? variables.map((each) => (each.name === next.name ? next : each))
        : [...variables, next],
    );
  return (
    <div className={classes.table}>
      {[...used, ...unused].map((name) => (
        <Row
          key={name}
          name={name}
          declared={variables.find((each) => each.name === name)}
          isUsed={isUsed(name)}
          onChange={set}
          onRemove={() => onChange(others(name))}
        />
      ))}
      {inFragments.map((variable) => (
        <FragmentRow key={variable.name} {...variable} />
      ))}
    </div>
  );
};

/** A variable of a fragment, which is declared there. */
const FragmentRow = ({ name, include, declaration }: FragmentVariable) => (
  <div className={classes.row}>
    <span className={`${classes.name} cv-mono cv-break`}>{name}</span>
    <Small className={`${classes.unused} cv-break`}>
      From <span className="cv-mono">{include}</span>:{' '}
      {declaration === undefined ? 'not declared, required' : declarationText(declaration)}
    </Small>
  </div>
);

interface RowProps {
  readonly name: string;
  readonly declared: EditedVariable | undefined;
  readonly isUsed: boolean;
  readonly onChange: (variable: EditedVariable) => void;
  readonly onRemove: () => void;
}

const Row = ({ name, declared, isUsed, onChange, onRemove }: RowProps) => (
  <fieldset className={classes.row}>
    <legend className={`${classes.name} cv-mono cv-break`}>{name}</legend>
    <Select
      size="xs"
      label="Type"
      aria-label={`Type of ${name}`}
      data={TYPES}
      value={declared?.type ?? ANY}
      onChange={(next) => {
        const type = VARIABLE_TYPES.find((each) => each === next);
        if (type === undefined) onRemove();
        else onChange({ ...(declared ?? { name, description: '', enum: [], default: undefined }), type });
      }}
    />
    {declared && <Declaration declared={declared} onChange={onChange} />}
    {!isUsed && (
      <Text size="xs" c="amber" className={classes.unused} role="status">
        No text uses it any more. <RowButton onClick={onRemove}>Remove {name}</RowButton>
      </Text>
    )}
  </fieldset>
);

interface DeclarationProps {
  readonly declared: EditedVariable;
  readonly onChange: (variable: EditedVariable) => void;
}

const Declaration = ({ declared, onChange }: DeclarationProps) => {
  const { name, type } = declared;
  const set = (change: Partial<EditedVariable>) => onChange({ ...declared, ...change });
  const isWrong = (text: string): boolean => readValue(text, type) === undefined;
  return (
    <>
      <TextInput
        size="xs"
        label="Description"
        aria-label={`Description of ${name}`}
        value={declared.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Default declared={declared} onChange={onChange} />
      {type !== 'boolean' && (
        <TagsInput
          className={classes.wide}
          size="xs"
          label="Allowed values"
          aria-label={`Allowed values of ${name}`}
          placeholder={declared.enum.length === 0 ? 'any' : ''}
          splitChars={[]}
          maxTags={LIMITS.enumValues}
          value={[...declared.enum]}
          onChange={(values) => set({ enum: values })}
          error={declared.enum.some(isWrong) && `Not all are of type ${type}.`}
        />
      )}
    </>
  );
};

const Default = ({ declared, onChange }: DeclarationProps) => {
  const { name, type, default: preset, enum: allowed } = declared;
  const set = (next: string | undefined) => onChange({ ...declared, default: next });
  const choices = type === 'boolean' ? ['true', 'false'] : allowed;
  const label = `Default of ${name}`;
  const isWrong =
    preset !== undefined &&
    (readValue(preset, type) === undefined || (choices.length > 0 && !choices.includes(preset)));
  const error = isWrong && (readValue(preset, type) === undefined ? `Not of type ${type}.` : 'Not allowed.');
  return (
    <div>
      <Checkbox
        size="xs"
        mb={5}
        label="Optional, with this default"
        aria-label={`${name} is optional`}
        checked={preset !== undefined}
        onChange={(event) => set(event.currentTarget.checked ? (choices[0] ?? FIRST[type]) : undefined)}
      />
      {choices.length > 0 ? (
        <Select
          size="xs"
          aria-label={label}
          data={[...new Set(choices)]}
          value={preset ?? null}
          disabled={preset === undefined}
          onChange={(next) => set(next ?? undefined)}
          error={error}
        />
      ) : (
        <TextInput
          size="xs"
          aria-label={label}
          value={preset ?? ''}
          disabled={preset === undefined}
          placeholder={preset === undefined ? 'required' : 'empty'}
          onChange={(event) => set(event.currentTarget.value)}
          error={error}
        />
      )}
    </div>
  );
};
