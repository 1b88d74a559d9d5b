import { isValidElement, memo, type ComponentProps, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { markPassage } from "../../model/markPassage";
import type { TextRange } from "../../model/passages";
import { CopyButton } from "../ui/CopyButton";
import { useChatTexts } from "./texts";

const plugins = [remarkGfm];

interface Props {
  text: string;
  /** The part of the text that is marked. */
  marked?: TextRange | null;
}

/**
 * Renders a model's Markdown. HTML is not rendered and unsafe URLs (`javascript:`) are removed.
 * Images become links, because loading them would tell their server who reads the text.
 */
export const Markdown = memo(function Markdown({ text, marked = null }: Props) {
  return (
    <div className="markdown" dir="auto">
      <ReactMarkdown
        remarkPlugins={plugins}
        rehypePlugins={marked ? [[markPassage, { source: text, range: marked }]] : []}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
});

const components: Components = {
  a: ({ href, children }) =>
    href?.startsWith("#") ? (
      <a href={href}>{children}</a>
    ) : href ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => <Image src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

function Image({ src, alt }: { src: string; alt: string }) {
  const texts = useChatTexts();
  const label = `${texts.image}: ${alt || src}`;
  return src === "" ? (
    <span>{label}</span>
  ) : (
    <a href={src} target="_blank" rel="noopener noreferrer nofollow">
      {label}
    </a>
  );
}

function CodeBlock({ children }: { children: ReactNode }) {
  const texts = useChatTexts();
  const code = isValidElement<ComponentProps<"code">>(children) ? children.props : {};
  const language = /language-(\S+)/.exec(code.className ?? "")?.[1] ?? "";
  const source = textOf(code.children);
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language}</span>
        <CopyButton text={source} label={texts.copyCode} />
      </figcaption>
      <pre tabIndex={0}>{children}</pre>
    </figure>
  );
}

function textOf(node: ReactNode): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map(textOf).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : "";
}
