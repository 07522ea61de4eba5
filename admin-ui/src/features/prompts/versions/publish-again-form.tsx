import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { nextVersion, type VersionPart } from '../../../../../contract/versions.ts';
import { DialogForm } from '../../../components/dialogs/dialog-form.tsx';
import { authored, served } from '../../../components/prompt-content.ts';
import { QueryBoundary } from '../../../components/states.tsx';
import { BumpInput } from '../editor/bump-input.tsx';
import { contentOf, readContent } from '../editor/content.ts';
import { partFor } from '../editor/review/breaking.ts';
import { GoLive, useCanGoLive, usePublishBreaks } from '../editor/review/go-live.tsx';
import { TypeChange, useTypeChange } from '../editor/review/type-change.tsx';
import { publish } from '../labels/label-moves.ts';
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
  const [chosen, setChosen] = useState<VersionPart>();
  const content = authored(version);
  const change = useTypeChange(latest, content);
  const part = chosen ?? partFor(served(latest), served(version));
  const [note, setNote] = useState(`Back to ${version.version}`);
  const [label, setLabel] = useState<string>();
  const canGoLive = useCanGoLive();
  const { promptId } = prompt;
  const number = nextVersion(prompt.highest, part);
  const danger = usePublishBreaks({ prompt, number, label, expanded: served(version) });
  const again = async () => {
    const published = await publish(prompt, label, {
      ...readContent({ ...contentOf(version), note }).body,
      ...{ bump: part, ...(change.isChange && { changeType: true }) },
    });
    await navigate({ to: '/prompts/$promptId', params: { promptId }, search: { version: published } });
  };
  return (
    <DialogForm
      verb="Publish"
      danger={danger}
      canSubmit={canGoLive(label) && change.isConfirmed}
      action={again}
    >
      <Text size="md">A new version with the content of {version.version}. It becomes the latest.</Text>
      <BumpInput highest={prompt.highest} value={part} onChange={setChosen} />
      <TypeChange {...change} />
      <GoLive
        prompt={prompt}
        number={number}
        part={part}
        content={content}
        expanded={served(version)}
        label={label}
        onLabel={setLabel}
      />
      <TextInput label="Note" value={note} onChange={(event) => setNote(event.currentTarget.value)} />
    </DialogForm>
  );
};
