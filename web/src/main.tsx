import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./components/frame/App";
import { startPreferences } from "./hooks/usePreferences";
import "./styles/index.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");

startPreferences();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
