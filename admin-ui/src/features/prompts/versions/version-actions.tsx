import { Menu } from '@mantine/core';
import { IconArrowsDiff, IconDownload, IconRepeat, IconTag, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazyImport } from '../../../api/lazy-import.ts';
import { useRole } from '../../../api/session-context.tsx';
import { formByNeed } from '../../../components/by-need.tsx';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { notifyFailure } from '../../../components/dialogs/notify.tsx';
import { download } from '../../../components/download.ts';
import { ButtonLink } from '../../../components/link.tsx';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { authored } from '../../../components/prompt-content.ts';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import { openLabelForm } from '../labels/label-dialogs.tsx';
import { deleteVersion } from '../prompt-changes.ts';
import type { Prompt, Version, VersionRow } from '../prompt-queries.ts';

const PublishAgainForm = formByNeed('publish-again', () => import('./publish-again-form.tsx'));

interface VersionActionsProps {
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  readonly version: Version;
}

export const VersionActions = ({ prompt, versions, version }: VersionActionsProps) => {
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
      <VersionMenu prompt={prompt} versions={versions} version={version} />
    </>
  );
};

/** Downloads the file that `cuevault pull` writes for this version. */
const downloadFile = async (name: string, version: Version): Promise<void> => {
  const { filePathOf, printPromptFile, SUFFIX } = await lazyImport(
    () => import('../../../../../contract/content/file/prompt-file.ts'),
  );
  const text = printPromptFile({ content: authored(version), description: version.note });
  const path = filePathOf(name) ?? `prompt${SUFFIX}`;
  download(path.slice(path.lastIndexOf('/') + 1), 'text/plain;charset=utf-8', text);
};

const VersionMenu = ({ prompt, versions, version }: VersionActionsProps) => {
  const { can } = useRole();
  const navigate = useNavigate();
  const { promptId } = prompt;
  const publishAgain = () =>
    openDialog({
      title: `Publish ${version.version} again`,
      size: '56rem',
      content: <PublishAgainForm prompt={prompt} version={version} />,
    });
  const isLatest = version.version === prompt.latest;
  const confirmDeletion = () =>
    confirmByName({
      title: `Delete version ${version.version}`,
      name: version.version,
      verb: 'Delete',
      action: async (confirmed) => {
        await deleteVersion(promptId, version.version, confirmed);
        await navigate({ to: '/prompts/$promptId', params: { promptId } });
      },
      done: `Version ${version.version} is deleted.`,
      affected: (
        <ImpactPanel
          promptId={promptId}
          scopes={[
            { kind: 'version', version: version.version },
            ...(isLatest ? [{ kind: 'latest' } as const] : []),
          ]}
          outcome={
            isLatest
              ? 'get an error, or the next lower version if they name none'
              : 'get an error on the next fetch'
          }
        />
      ),
      text: `Version ${version.version} is deleted permanently and its number is never used again. Callers that ask for this version get an error.`,
    });
  return (
    <MoreMenu variant="default" size={26} label={`Actions for version ${version.version}`}>
      <Menu.Item
        leftSection={<IconDownload size={15} aria-hidden />}
        onClick={() => void downloadFile(prompt.name, version).catch(notifyFailure)}
      >
        Download as .prompt
      </Menu.Item>
      {can('editor') && (
        <>
          <Menu.Item
            leftSection={<IconTag size={15} aria-hidden />}
            onClick={() => openLabelForm({ prompt, versions, version: version.version })}
          >
            Point a label here
          </Menu.Item>
          <Menu.Item leftSection={<IconRepeat size={15} aria-hidden />} onClick={publishAgain}>
            Publish again as a new version
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={15} aria-hidden />}
            onClick={confirmDeletion}
          >
            Delete this version
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );
};
