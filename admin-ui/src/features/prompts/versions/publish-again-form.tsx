import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { VersionPart } from '../../../../../contract/versions.ts';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { contentOf, readContent } from '../editor/content.ts';
import { partFor } from '../editor/review/breaking.ts';
import { PublishFields, usePublishing } from '../editor/review/publishing.tsx';
import { type Prompt, type Version, versionQuery } from '../prompt-queries.ts';

export interface PublishAgainProps {
  readonly prompt: Prompt;
  readonly version: Version;
}

/** Publishes the content of a version again, under a new number. */
export const PublishAgainForm = (props: PublishAgainProps) => {
  const { promptId, latest } = props.prompt;
  const query = useQuery(versionQuery(promptId, latest));
  return <QueryBoundary query={query}>{(found) => <Again {...props} latest={found} />}</QueryBoundary>;
};

interface AgainProps extends PublishAgainProps {
  readonly latest: Version;
}

const Again = ({ prompt, version, latest }: AgainProps) => {
  const navigate = useNavigate();
  const [chosen, onPart] = useState<VersionPart>();
  const [note, setNote] = useState(`Back to ${version.version}`);
  const part = chosen ?? partFor(served(latest), served(version));
  const content = { content: authored(version), expanded: served(version) };
  const publishing = usePublishing({ prompt, latest, part, onPart, ...content });
  const { promptId } = prompt;
  const again = async () => {
    const published = await publishing.publish(readContent({ ...contentOf(version), note }).body);
    await navigate({ to: '/prompts/$promptId', params: { promptId }, search: { version: published } });
  };
  return (
    <DialogForm verb="Publish" danger={publishing.danger} canSubmit={publishing.canPublish} action={again}>
      <Text size="md">A new version with the content of {version.version}. It becomes the latest.</Text>
      <PublishFields {...publishing} />
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
    </DialogForm>
  );
};
