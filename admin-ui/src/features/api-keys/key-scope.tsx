import {
  Group,
  MultiSelect,
  Radio,
  Select,
  Stack,
  TagsInput,
  type TagsInputProps,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { KEY_FIELDS, type KeyField } from '../../../../contract/fields/key-limits.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { Small } from '../../components/basics.tsx';
import { secretTagsQuery, useEnvironments } from '../../components/environments.tsx';
import { counted, listed, localDay } from '../../components/locale.ts';
import { type ExpiryChoice, offeredBefore } from './expiry.ts';
import { firstPromptsQuery, type KeyLists, type Reached, reachQuery } from './key-queries.ts';

interface ExpiryInputProps {
  value: ExpiryChoice;
  onChange: (value: ExpiryChoice) => void;
  /** When the key expires now, in ISO 8601: it can only expire earlier. */
  until?: string | undefined;
  /** Further options, before the others. */
  first?: readonly { readonly value: string; readonly label: string }[];
}

/** When a key expires: one of some options, or a day. */
export const ExpiryInput = ({ value, onChange, until, first = [] }: ExpiryInputProps) => {
  const now = new Date();
  return (
    <Group align="flex-end">
      <Select
        label="Expires"
        w={170}
        data={[...first, ...offeredBefore(until, now)]}
        value={value.expiry}
        onChange={(expiry) => expiry !== null && onChange({ ...value, expiry })}
      />
      {value.expiry === 'day' && (
        <TextInput
          type="date"
          aria-label="Last day"
          min={localDay(now)}
          max={until && localDay(new Date(until))}
          value={value.day}
          onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
        />
      )}
    </Group>
  );
};

interface KeyScopesProps {
  permissions: readonly string[];
  lists: KeyLists;
  onChange: (lists: KeyLists) => void;
  /** Which of the limits on prompts and secrets are to allow everything. @default - all that are empty */
  chosen?: Chosen;
  onChoose?: (chosen: Chosen) => void;
}

/** Whether everything or a part was chosen, by the name of the limit; absent if nothing was. */
export type Chosen = Readonly<Record<string, 'all' | 'some'>>;

/** The choice that the limits of a key are. */
export const chosenBy = (lists: KeyLists): Chosen =>
  Object.fromEntries(Object.keys(SCOPES).map((name) => [name, lists[name]?.length ? 'some' : 'all']));

/** Checks that each limit on prompts and secrets that concerns the permissions was chosen. Throws an error with a sentence. */
export const requireChosen = (permissions: readonly string[], lists: KeyLists, chosen: Chosen): void => {
  for (const { name, label } of KEY_FIELDS.filter(isConcerned(permissions)))
    if (name in SCOPES && chosen[name] !== 'all' && !lists[name]?.length)
      throw new Error(`Choose what the key may read: "${label}" with at least one, or "${ALL[name]}".`);
};

const ALL: Readonly<Record<string, string>> = { prompts: 'All prompts', tags: 'All secrets' };

/** The lists that concern a key with these permissions, as they are sent. */
export const concerned = (permissions: readonly string[], lists: KeyLists): KeyLists =>
  Object.fromEntries(
    KEY_FIELDS.filter(isConcerned(permissions)).map(({ name }) => [name, lists[name] ?? []]),
  );

const isConcerned =
  (permissions: readonly string[]) =>
  ({ concerns }: KeyField): boolean =>
    concerns === undefined || concerns.some((each) => permissions.includes(each));

/** What a key with these permissions is limited to. */
export const KeyScopes = ({
  permissions,
  lists,
  onChange,
  chosen = chosenBy(lists),
  onChoose,
}: KeyScopesProps) => {
  const { data: reach } = useQuery(reachQuery(permissions, lists));
  return KEY_FIELDS.filter(isConcerned(permissions)).map(({ name, label, hint, most }) => {
    const Scope = SCOPES[name] ?? (name === 'environments' ? EnvironmentScope : ScopeInput);
    const choose = (choice: string) => {
      onChoose?.({ ...chosen, [name]: choice === 'all' ? 'all' : 'some' });
      if (choice === 'all') onChange({ ...lists, [name]: [] });
    };
    const input = (
      <Scope
        label={label}
        description={hint}
        maxTags={most}
        value={lists[name] ?? []}
        reach={reach}
        onChange={(values) => onChange({ ...lists, [name]: values })}
      />
    );
    if (!(name in SCOPES && onChoose)) return <Fragment key={name}>{input}</Fragment>;
    return (
      <Stack key={name} gap="xs">
        <Radio.Group aria-label={label} value={chosen[name] ?? ''} onChange={choose}>
          <Group gap="lg">
            <Radio size="xs" value="some" label={label} />
            <Radio size="xs" value="all" label={ALL[name]} />
          </Group>
        </Radio.Group>
        {chosen[name] === 'some' && input}
      </Stack>
    );
  });
};

interface MostPromptsProps {
  permissions: readonly string[];
  value: number;
  /** @default - as many as there can be */
  max?: number;
  onChange: (most: number) => void;
}

/** How many prompts a key with the permission `publish` may create. */
export const MostPrompts = ({ permissions, value, max = LIMITS.prompts, onChange }: MostPromptsProps) =>
  permissions.includes('publish') && (
    <TextInput
      type="number"
      label="Can create"
      description="Prompts that exist at the same time. Deleted ones no longer count after eight days."
      value={value}
      onChange={({ currentTarget }) =>
        onChange(Math.min(max, Math.max(0, Math.trunc(Number(currentTarget.value)))))
      }
      min={0}
      max={max}
    />
  );

type ScopeProps = TagsInputProps & {
  readonly value: string[];
  readonly onChange: (value: string[]) => void;
  /** What the key would reach; undefined until it is known. */
  readonly reach: Record<'prompts' | 'secrets', Reached> | undefined;
};

/** The prompts that a key is limited to, and the existing prompts among them. */
const PromptScope = (props: ScopeProps) => {
  const { data: { prompts = [] } = {} } = useQuery(firstPromptsQuery);
  const names = prompts.map(({ name }) => name);
  const folders = new Set(names.flatMap((name) => name.match(/^.*\//)?.map((folder) => `${folder}*`) ?? []));
  return (
    <ReachInput
      {...props}
      what="prompt"
      data={[...folders, ...names]}
      // The name of a prompt may contain commas.
      splitChars={[]}
      none={`No prompt is named ${props.value.join(' or ')}.`}
    />
  );
};

/** The tags that a key is limited to, and the existing secrets that it can read. */
const SecretScope = (props: ScopeProps) => {
  const { data: tags = [] } = useQuery(secretTagsQuery);
  return (
    <ReachInput
      {...props}
      what="secret"
      data={tags}
      none={`No secret there is tagged ${props.value.join(' and ')}: the key reads nothing until one is.`}
    />
  );
};

const SCOPES: Readonly<Record<string, typeof ScopeInput>> = { prompts: PromptScope, tags: SecretScope };

/** The environments whose secrets a key can read, among those that exist and those that it has. */
const EnvironmentScope = ({ label, description, value, onChange }: ScopeProps) => {
  const data = [...new Set(['*', ...useEnvironments().map(({ name }) => name), ...value])];
  return <MultiSelect {...{ label, description, data, value, onChange }} />;
};

const ScopeInput = ({ reach: _, ...props }: ScopeProps) => (
  <TagsInput
    {...props}
    placeholder={props.value.length === 0 ? 'Type one and press Enter' : ''}
    limit={100}
    // Above the field, so that it never covers the buttons below.
    comboboxProps={{ position: 'top', middlewares: { flip: false } }}
    maxDropdownHeight={140}
  />
);

type ReachProps = ScopeProps & {
  readonly what: 'prompt' | 'secret';
  /** Shown if it reaches nothing. */
  readonly none: string;
};

const ReachInput = ({ what, none, ...props }: ReachProps) => {
  const { allowed, first, more } = props.reach?.[`${what}s`] ?? { allowed: 0, first: [] };
  const isNothing = allowed === 0 && !more;
  return (
    <div>
      <ScopeInput {...props} />
      {props.value.length > 0 && props.reach && (
        <Small c={isNothing ? 'amber' : 'dimmed'} mt={4} role="status">
          {isNothing
            ? none
            : `Reaches ${more ? 'at least ' : ''}${counted(allowed, what)}: ${listed(first, allowed)}.`}
        </Small>
      )}
    </div>
  );
};
