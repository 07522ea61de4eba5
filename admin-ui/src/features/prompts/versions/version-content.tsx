import { Group, Stack } from '@mantine/core';
import { shortest } from '../../../../../contract/content/hash.ts';
import { byNeed } from '../../../components/by-need.tsx';
import { CopyTextButton } from '../../../components/code/copy-button.tsx';
import { Part } from '../../../components/layout/panel.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import { Tags } from '../../../components/tags.tsx';
import type { Version } from '../prompt-queries.ts';
import { Messages } from './messages.tsx';
import { TemplateText } from './template-text.tsx';
import { VariablesList } from './variables-list.tsx';

const VersionFields = byNeed('version-fields', () => import('./version-fields.tsx'));

/** The content of a version: text or messages, variables, what goes to the model, tags, metadata. */
export const VersionContent = ({ version }: { version: Version }) => {
  const content = authored(version);
  const { model, config, output, tools, includes, metaProperties } = shortest(content);
  const fields = { model, config, output, tools, includes, metaProperties };
  return (
    <Stack gap="md">
      <div>
        {content.type === 'chat' ? (
          <Messages label="Messages" messages={content.messages} />
        ) : (
          <TemplateText text={version.prompt} label={`Template of version ${version.version}`} />
        )}
        <Group justify="flex-end" mt={6}>
          <CopyTextButton
            text={version.prompt}
            label={content.type === 'chat' ? 'the messages' : 'the template'}
          />
        </Group>
      </div>
      <Part title="Variables">
        <VariablesList content={served(version)} />
      </Part>
      {Object.values(fields).some((value) => value !== undefined) && (
        <Part title="Model and output">
          <VersionFields {...fields} />
        </Part>
      )}
      {version.tags.length > 0 && (
        <Part title="Tags">
          <Tags tags={version.tags} shown={50} />
        </Part>
      )}
    </Stack>
  );
};
