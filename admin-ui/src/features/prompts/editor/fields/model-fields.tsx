import { TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../../../../contract/limits.ts';
import { counted, countedIfAny } from '../../../../components/count.ts';
import classes from '../../../../components/layout/fold.module.css';
import { Small } from '../../../../components/small.tsx';
import { type TextFields, textFieldsIn } from '../../versions/version-text.ts';
import type { Edited } from '../content.ts';

interface FoldProps {
  readonly title: string;
  /** What is inside, in a few words. */
  readonly summary?: ReactNode;
  /** Whether it is open at first. @default false */
  readonly startsOpen?: boolean;
  /** Whether it opens because of something inside that needs attention. */
  readonly isWanted?: boolean;
  readonly children: ReactNode;
}

/** A part that is closed until it is wanted. */
const Fold = ({ title, summary, startsOpen = false, isWanted = false, children }: FoldProps) => {
  const [isOpen, setIsOpen] = useState(startsOpen);
  return (
    <details
      className={classes.fold}
      open={isOpen || isWanted}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <Text span fw={600}>
          {title}
        </Text>
        {summary && <Small>{summary}</Small>}
      </summary>
      <div className={classes.content}>{children}</div>
    </details>
  );
};

const PLACEHOLDER = `input:
  schema:
    user: string, who is greeted
    day?: string
  default:
    day: Monday
config:
  temperature: 0.2
output:
  schema:
    type: object
toolDefs:
  - name: lookup
cuevault.metadata:
  owner: support`;

interface ModelFieldsProps {
  readonly content: Edited;
  readonly onChange: (change: Partial<Edited>) => void;
  /** Why the fragments cannot be included. */
  readonly problem: string | undefined;
  /** Whether a declaration was just added. */
  readonly isDeclaring: boolean;
}

/** What applications pass to the model, besides the text: closed at first, because most versions leave it as it is. */
export const ModelFields = ({ content, onChange, problem, isDeclaring }: ModelFieldsProps) => {
  const text = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isDeclaring) text.current?.focus();
  }, [isDeclaring]);
  const { model, includes, fields } = content;
  const read = textFieldsIn(fields);
  const wrong = typeof read === 'string' ? read : undefined;
  return (
    <Fold
      title="Variables, model and output"
      summary={summaryOf(content, read)}
      startsOpen={includes.length > 0}
      isWanted={isDeclaring || wrong !== undefined || problem !== undefined}
    >
      <TextInput
        label="Model"
        description="The model that applications should call."
        placeholder="anthropic/claude-sonnet"
        value={model}
        onChange={(event) => onChange({ model: event.currentTarget.value })}
        spellCheck={false}
        autoComplete="off"
      />
      <TagsInput
        label="Fragments"
        description={
          'Text prompts, with their versions, that {{> "name"}} inserts when this one is published.'
        }
        placeholder={includes.length === 0 ? 'shared/tone@1.2.0' : ''}
        value={[...includes]}
        onChange={(next) => onChange({ includes: next })}
        maxTags={LIMITS.includes}
        error={problem}
      />
      <Textarea
        ref={text}
        label="Variables (input), configuration, output schema, tools and metadata"
        description="As YAML, as in a prompt file. JSON is YAML too."
        placeholder={PLACEHOLDER}
        value={fields}
        onChange={(event) => onChange({ fields: event.currentTarget.value })}
        error={wrong}
        classNames={{ input: 'cv-mono' }}
        spellCheck={false}
        autosize
        minRows={4}
        maxRows={24}
      />
    </Fold>
  );
};

const summaryOf = ({ model, includes }: Edited, fields: TextFields | string) => {
  const {
    variables = {},
    config,
    output,
    tools = [],
    metaProperties,
  } = typeof fields === 'string' ? {} : fields;
  const parts = [
    ...(model.trim() === '' ? [] : [model.trim()]),
    ...countedIfAny(Object.keys(variables).length, 'declared variable'),
    ...(config ? ['configuration'] : []),
    ...(output ? ['output schema'] : []),
    ...countedIfAny(tools.length, 'tool'),
    ...countedIfAny(includes.length, 'fragment'),
    ...(metaProperties ? [counted(Object.keys(metaProperties).length, 'metadata field')] : []),
  ];
  return parts.length === 0 ? 'nothing set' : parts.join(' · ');
};
