import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowsDiff, IconDots, IconRepeat, IconTag, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRole } from '../../../api/session-context.tsx';
import { ConfirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { ButtonLink } from '../../../components/link.tsx';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import { LabelDialog } from '../labels/label-dialog.tsx';
import { deleteVersion } from '../prompt-changes.ts';
import type { Prompt, Version, VersionRow } from '../prompt-queries.ts';
import { PublishAgain } from './publish-again.tsx';

interface VersionActionsProps {
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  readonly version: Version;
}

/** Actions on a version. */
export const VersionActions = ({ prompt, versions, version }: VersionActionsProps) => {
  const { can } = useRole();
  const index = versions.findIndex((row) => row.version === version.version);
  const other = versions[index + 1] ?? versions[index - 1];
  return (
    <>
      {other && (
        <ButtonLink
          to="/prompts/$promptId/compare"
          params={{ promptId: prompt.promptId }}
          search={{ from: other.version, to: version.version }}
          variant="default"
          size="compact-sm"
          leftSection={<IconArrowsDiff size={14} aria-hidden />}
        >
          Compare
        </ButtonLink>
      )}
      {can('editor') && <EditorActions prompt={prompt} versions={versions} version={version} />}
    </>
  );
};

const EditorActions = ({ prompt, versions, version }: VersionActionsProps) => {
  const [dialog, setDialog] = useState<'label' | 'again' | 'delete'>();
  const navigate = useNavigate();
  const close = () => setDialog(undefined);
  const { promptId } = prompt;
  const remove = async (confirmed: boolean) => {
    await deleteVersion(promptId, version.version, confirmed);
    notifyDone(`Version ${version.version} is deleted.`);
    await navigate({ to: '/prompts/$promptId', params: { promptId } });
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={26} aria-label={`Actions for version ${version.version}`}>
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconTag size={15} aria-hidden />} onClick={() => setDialog('label')}>
            Point a label here
          </Menu.Item>
          <Menu.Item leftSection={<IconRepeat size={15} aria-hidden />} onClick={() => setDialog('again')}>
            Publish again as a new version
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={15} aria-hidden />}
            onClick={() => setDialog('delete')}
          >
            Delete this version
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <LabelDialog
        opened={dialog === 'label'}
        onClose={close}
        prompt={prompt}
        versions={versions}
        version={version.version}
      />
      <PublishAgain opened={dialog === 'again'} onClose={close} prompt={prompt} version={version} />
      <ConfirmByName
        opened={dialog === 'delete'}
        onClose={close}
        title={`Delete version ${version.version}`}
        name={version.version}
        verb="Delete"
        action={remove}
        affected={
          <ImpactPanel
            promptId={promptId}
            scopes={[
              { kind: 'version', version: version.version },
              ...(version.version === prompt.latest ? [{ kind: 'latest' } as const] : []),
            ]}
            outcome={
              version.version === prompt.latest
                ? 'get an error, or the next lower version if they name none'
                : 'get an error on the next fetch'
            }
          />
        }
      >
        Version {version.version} is deleted permanently and its number is never used again. Callers that ask
        for this version get an error.
      </ConfirmByName>
    </>
  );
};
