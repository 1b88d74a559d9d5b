import { useState } from "react";
import type { Conversation } from "../../api/types";
import { useSidebarTexts } from "./texts";

interface Props {
  /** The listed conversations. */
  conversations: readonly Conversation[];
  value: string | null;
  onChange: (project: string | null) => void;
}

/** Chooses a project among those of the conversations listed so far; hidden if there is none. */
export function ProjectFilter({ conversations, value, onChange }: Props) {
  const texts = useSidebarTexts();
  const [projects, setProjects] = useState<readonly string[]>([]);
  const listed = conversations.flatMap(({ project_id }) => project_id ?? []);
  const added = listed.filter((project) => !projects.includes(project));
  if (added.length > 0) setProjects([...new Set([...projects, ...added])].sort());
  if (projects.length === 0) return null;
  return (
    <div className="project-filter">
      <select
        aria-label={texts.project}
        value={value ?? ""}
        onChange={(event) => onChange(event.target.value || null)}
      >
        <option value="">{texts.allProjects}</option>
        {projects.map((project) => (
          <option key={project} value={project}>
            {project}
          </option>
        ))}
      </select>
    </div>
  );
}
