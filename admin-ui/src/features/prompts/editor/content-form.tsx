import { Input, JsonInput, Stack, TagsInput, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { LIMITS, utf8Bytes } from '../../../../../contract/limits.ts';
import { variablesOf } from '../../../../../contract/templates.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { parseObject } from '../try-it/json-object.ts';
import { Variables } from '../versions/version-content.tsx';
import type { Content } from './content.ts';
import classes from './content-form.module.css';
import { TemplateEditor } from './template-editor.tsx';

const KB = 1024;

export interface ContentFormProps {
  readonly content: Content;
  readonly onChange: (content: Content) => void;
  /** Shown above the template. */
  readonly above?: ReactNode;
  /** Shown above the note. */
  readonly beside?: ReactNode;
}

/** The fields of a version: template, variables, note, tags, metadata. */
export const ContentForm = ({ content, onChange, above, beside }: ContentFormProps) => {
  const set = (change: Partial<Content>) => onChange({ ...content, ...change });
  const bytes = utf8Bytes(content.prompt);
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        {above}
        <div className={classes.editor}>
          <Input.Label component="div">Template</Input.Label>
          <Input.Description mb={5}>
            Write placeholders as {'{{name}}'}: applications send the values.
          </Input.Description>
          <TemplateEditor label="Template" value={content.prompt} onChange={(prompt) => set({ prompt })} />
          {bytes > LIMITS.templateBytes && (
            <p role="alert" className={classes.problem}>
              The template takes {Math.ceil(bytes / KB)} KB; at most {LIMITS.templateBytes / KB} KB fit.
            </p>
          )}
        </div>
        <Panel title="Variables">
          <Variables names={variablesOf(content.prompt)} />
        </Panel>
      </Stack>
      <Stack gap="md">
        {beside}
        <Textarea
          label="Note"
          description="What others should know about this version."
          value={content.note}
          onChange={(event) => set({ note: event.currentTarget.value })}
          autosize
          minRows={2}
          maxRows={8}
        />
        <TagsInput
          label="Tags"
          placeholder={content.tags.length === 0 ? 'Type one and press Enter' : ''}
          value={[...content.tags]}
          onChange={(tags) => set({ tags })}
          maxTags={LIMITS.tags}
          clearable={false}
        />
        <JsonInput
          label="Metadata"
          description="A JSON object that applications receive with the text."
          placeholder='{"model": "small"}'
          value={content.metadata}
          onChange={(metadata) => set({ metadata })}
          error={parseObject(content.metadata) === undefined && 'Enter a JSON object.'}
          autosize
          minRows={3}
          maxRows={14}
          spellCheck={false}
          classNames={{ input: 'cv-mono' }}
        />
      </Stack>
    </div>
  );
};
