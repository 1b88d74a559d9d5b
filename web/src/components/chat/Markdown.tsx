import { isValidElement, memo, type ComponentProps, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { useTexts } from "../../texts/texts";
import { CopyButton } from "../ui/CopyButton";
import { texts as chatTexts } from "./texts";

const plugins = [remarkGfm];

/**
 * What a model wrote. It is made into elements, never into HTML, and addresses that are not links
 * (`javascript:`) lose them. Images are named, not loaded: whoever wrote the text would learn who
 * reads it.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown" dir="auto">
      <ReactMarkdown remarkPlugins={plugins} components={components}>
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
  const texts = useTexts(chatTexts);
  const label = `${texts.image}: ${alt || src}`;
  return src === "" ? (
    <span className="image-link">{label}</span>
  ) : (
    <a className="image-link" href={src} target="_blank" rel="noopener noreferrer nofollow">
      {label}
    </a>
  );
}

function CodeBlock({ children }: { children: ReactNode }) {
  const texts = useTexts(chatTexts);
  const code = isValidElement<ComponentProps<"code">>(children) ? children.props : {};
  const language = /language-(\S+)/.exec(code.className ?? "")?.[1] ?? "";
  const source = typeof code.children === "string" ? code.children : "";
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
