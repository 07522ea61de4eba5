import { TagsInput, type TagsInputProps, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { matchesPromptPatterns } from '../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { counted, listed } from '../../components/count.ts';
import { promptNamesQuery, scopeQuery, secretTagsQuery } from './key-queries.ts';

interface ScopeProps {
  readonly value: string[];
  readonly onChange: (value: string[]) => void;
}

interface KeyScopesProps {
  readonly permissions: readonly string[];
  readonly prompts: string[];
  readonly labels: string[];
  readonly tags: string[];
  readonly onChange: (change: { prompts?: string[]; labels?: string[]; tags?: string[] }) => void;
}

/** What a key with these permissions is limited to. */
export const KeyScopes = ({ permissions, prompts, labels, tags, onChange }: KeyScopesProps) => (
  <>
    {concernsPrompts(permissions) && (
      <PromptScope value={prompts} onChange={(next) => onChange({ prompts: next })} />
    )}
    {permissions.includes('publish') && (
      <LabelScope value={labels} onChange={(next) => onChange({ labels: next })} />
    )}
    {permissions.includes('secrets') && (
      <SecretScope value={tags} onChange={(next) => onChange({ tags: next })} />
    )}
  </>
);

/** Whether a key with these permissions can be limited to prompts. */
export const concernsPrompts = (permissions: readonly string[]): boolean =>
  permissions.includes('prompts') || permissions.includes('publish');

/** The prompts that a key is limited to, and the existing prompts among them. */
const PromptScope = ({ value, onChange }: ScopeProps) => {
  const { data: names } = useQuery(promptNamesQuery);
  const folders = new Set(names?.flatMap((name) => name.match(/^.*\//)?.map((folder) => `${folder}*`) ?? []));
  return (
    <div>
      <ScopeInput
        label="Only these prompts"
        description="Names, or beginnings of names such as support/*. Leave it empty to allow every prompt."
        data={[...folders, ...(names ?? [])]}
        value={value}
        onChange={onChange}
        maxTags={LIMITS.keyPrompts}
        // The name of a prompt may contain commas.
        splitChars={[]}
      />
      <Reach
        verb="Allows"
        what="prompt"
        names={names?.filter((name) => matchesPromptPatterns(value, name))}
        none={value.length === 0 ? 'There is no prompt yet.' : `No prompt is named ${value.join(' or ')}.`}
      />
    </div>
  );
};

/** The labels that a key which publishes may move. */
const LabelScope = ({ value, onChange }: ScopeProps) => (
  <ScopeInput
    label="Can move these labels"
    description="Labels such as staging. Leave it empty to allow none. Protected labels are never among them."
    value={value}
    onChange={onChange}
    maxTags={LIMITS.labels}
  />
);

/** The tags that a key is limited to, and the existing secrets that it can read. */
const SecretScope = ({ value, onChange }: ScopeProps) => {
  const known = useQuery(secretTagsQuery).data ?? [];
  const { data: keys } = useQuery({ ...scopeQuery(value), placeholderData: (earlier) => earlier });
  const tags = value.length === 1 ? `the tag ${value[0]}` : `all of the tags ${value.join(', ')}`;
  return (
    <div>
      <ScopeInput
        label="Only secrets with these tags"
        description="A secret must have all of them. Leave it empty to allow every secret."
        data={known}
        value={value}
        onChange={onChange}
        maxTags={LIMITS.tags}
      />
      <Reach
        verb="Reads"
        what="secret"
        names={keys}
        none={
          value.length === 0
            ? 'There is no secret yet.'
            : `No secret has ${tags}: the key reads nothing until one does.`
        }
      />
    </div>
  );
};

const ScopeInput = (props: TagsInputProps & ScopeProps) => (
  <TagsInput
    {...props}
    placeholder={props.value.length === 0 ? 'Type one and press Enter' : ''}
    limit={100}
    // Above the field, so that it never covers the buttons below.
    comboboxProps={{ position: 'top', middlewares: { flip: false } }}
    maxDropdownHeight={140}
  />
);

const NAMED = 8;

interface ReachProps {
  readonly verb: string;
  readonly what: string;
  /** Names of what the key can read now; undefined until they are known. */
  readonly names: readonly string[] | undefined;
  /** Shown if it can read nothing. */
  readonly none: string;
}

const Reach = ({ verb, what, names, none }: ReachProps) =>
  names && (
    <Text size="xs" c={names.length === 0 ? 'amber' : 'dimmed'} mt={4} role="status" className="cv-break">
      {names.length === 0 ? none : `${verb} ${counted(names.length, what)}: ${listed(names, NAMED)}.`}
    </Text>
  );
